/** How a class was made of others, as its author wrote it: the name of the new class in messages. */
import { shorten, type Class } from '@sigil-mcp/base';

/** `PickType(Book, ['title', 'pages'])`. */
export function nameCall(helper: string, sources: readonly Class[], names?: readonly string[]): string {
  // An import cycle leaves a class undefined, despite its type.
  const classes = sources.map((source) => (source as Class | undefined)?.name ?? 'undefined');
  const listed = names?.map((name) => `'${name}'`).join(', ');
  return `${helper}(${[...classes, ...(listed === undefined ? [] : [`[${shorten(listed, 60)}]`])].join(', ')})`;
}
