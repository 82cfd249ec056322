/** One text for equal JSON: members sorted by their names, without spaces, as in RFC 8785. */

/**
 * @param value parsed JSON
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  // Arguments of a program in the same process may hold values that are not JSON.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return listText(value);
  // Its members are JSON, too. Names are sorted by UTF-16 code units.
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name of Object.keys(members).sort())
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  return text === '' ? '{}' : `${text}}`;
}

function listText(items: readonly unknown[]): string {
  let text = '[';
  for (const item of items) text += `${text === '[' ? '' : ','}${canonicalJson(item)}`;
  return `${text}]`;
}
