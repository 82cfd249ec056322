/**
 * What the text of a skill names of the server: in code within a line, `create_order(...)` is a call of a tool or a prompt, and
 * `weather://oslo` is the URI of a resource. Everything else, and blocks of code, may be about anything.
 */
import type { SkillReference } from '../skill';
import { readMarkdown } from './markdown';
import type { SearchedText } from './searched-text';

/** A name with parentheses behind it, and nothing else. */
const CALL = /^([A-Za-z_][\w.-]{0,127})\(.*\)$/;
const URI = /^[A-Za-z][A-Za-z\d+.-]*:\/\/[^\s]+$/;

/** Finds them, in the order of the text. */
export function findReferences({ body, bodyLine, where }: SearchedText): SkillReference[] {
  const { code, links } = readMarkdown(body, bodyLine);
  const named = code.flatMap(({ text, line, column }): SkillReference[] => {
    const at = `${where}:${line}:${column}`;
    const call = CALL.exec(text)?.[1];
    if (call !== undefined) return [{ kind: 'call', name: call, where: at }];
    return URI.test(text) ? [{ kind: 'uri', name: text, where: at }] : [];
  });
  const linked = links
    .filter(({ text }) => URI.test(text))
    .map(({ text, line, column }): SkillReference => ({
      kind: 'uri',
      name: text,
      where: `${where}:${line}:${column}`,
    }));
  return [...named, ...linked];
}
