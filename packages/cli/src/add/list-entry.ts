/** An entry in a list among the options of `createServer`, such as `extensions` or `modules`. */
import type * as TypeScript from 'typescript';
import { failure } from '../failure';
import { shownPath } from '../project/shown-path';
import type { ReadProject, ServerCall } from './read-project';
import type { Insertion } from './source-file';

/**
 * The insertion that adds an entry; it adds the list, too, if the server has none.
 * @param call the code of the entry
 * @throws CliFailure if `createServer` has no options to which it can be added
 */
export function listEntry({ compiler, folder, server }: ReadProject, list: string, call: string): Insertion {
  const { file, node } = server;
  const [options] = node.arguments;
  const refused = failure('SIGIL_ADD_NO_OPTIONS', { file: shownPath(folder, file.path), list, call });
  if (!options || !compiler.isObjectLiteralExpression(options)) throw refused;
  const property = options.properties.find((each) => each.name?.getText() === list);
  if (!property) return lastIn(server, options.properties, `${list}: [${call}]`, options.getStart() + 1);
  if (!compiler.isPropertyAssignment(property) || !compiler.isArrayLiteralExpression(property.initializer))
    throw refused;
  return lastIn(server, property.initializer.elements, call, property.initializer.getStart() + 1);
}

/** Behind the last element of a list, on a line of its own if that has one. */
function lastIn({ file }: ServerCall, list: readonly TypeScript.Node[], text: string, emptyAt: number): Insertion {
  const last = list.at(-1);
  if (!last) return { at: emptyAt, text };
  const start = last.getStart();
  const line = file.text.slice(file.text.lastIndexOf('\n', start - 1) + 1, start);
  const end = last.getEnd();
  if (line.trim() !== '') return { at: end, text: `, ${text}` };
  // A comment at the end of its line stays there.
  const [comment = ''] = /^,[ \t]*\/\/[^\r\n]*/.exec(file.text.slice(end)) ?? [];
  if (comment !== '') return { at: end + comment.length, text: `${file.style.lineEnd}${line}${text},` };
  return { at: end, text: `,${file.style.lineEnd}${line}${text}` };
}
