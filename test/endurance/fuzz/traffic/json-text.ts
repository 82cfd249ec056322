/** JSON as it is sent by those who do not use `JSON.stringify`: members may stand twice, and values may be any text. */

/** A value that is written as it stands, JSON or not. */
export class RawText {
  constructor(readonly text: string) {}
}

/** An object whose members are written in their order, also those of equal names. */
export class Members {
  constructor(readonly entries: readonly (readonly [name: string, value: unknown])[]) {}
}

/** A value with `Members` in place of its objects, so that it can be changed in ways that no object can. */
export function toTree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTree);
  if (typeof value !== 'object' || value === null || value instanceof RawText || value instanceof Members) return value;
  return new Members(Object.entries(value).map(([name, inner]) => [name, toTree(inner)]));
}

/** Writes a tree. */
export function writeTree(tree: unknown): string {
  if (tree instanceof RawText) return tree.text;
  if (tree instanceof Members)
    return `{${tree.entries.map(([name, value]) => `${JSON.stringify(name)}:${writeTree(value)}`).join(',')}}`;
  if (Array.isArray(tree)) return `[${tree.map(writeTree).join(',')}]`;
  return JSON.stringify(tree) ?? 'null';
}
