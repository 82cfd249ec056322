/** The files of a body in several parts: what their names and media types are, as far as a document says it. */
import { FILE_TYPES, endingOf } from '@sigil-mcp/cli/kit';
import type { Body } from '../operations/operation';
import { typesOfFile } from '../operations/read-body';
import type { Shape } from '../operations/shape';

/** How a file is sent. */
export interface FilePlan {
  /** Undefined if an argument says it, or nothing does. */
  readonly name: string | undefined;
  /** Undefined if the ending of the name says it. */
  readonly type: string | undefined;
  /** Media types and ranges that the document names. */
  readonly types: readonly string[];
}

/** @returns undefined for a member that is no file. @param shape of the member, or of one item of it */
export function planFile(member: string, shape: Shape, { kind, contentTypes }: Body): FilePlan | undefined {
  const types = kind === 'multipart' ? typesOfFile(shape, contentTypes.get(member)) : undefined;
  if (!types) return undefined;
  const [only, another] = types;
  const isKnown = only !== undefined && another === undefined && /^[\w.+-]+\/[\w.+-]+$/.test(only);
  const type = isKnown && only !== 'application/octet-stream' ? only : undefined;
  const ending = type && endingOf(type);
  return { name: ending && `${member}.${ending}`, type, types };
}

/** The description of the argument that names a file. */
export function fileNameText(member: string, { types }: FilePlan): string {
  const known = Object.entries(FILE_TYPES);
  const fits =
    (range: string) =>
    ([, type]: readonly [string, string]) =>
      type.startsWith(range.replace('*', ''));
  const example = types.flatMap((range) => known.find(fits(range))?.[0] ?? [])[0] ?? 'pdf';
  const which = member === 'file' ? 'the file' : `the file ${member}`;
  return `Name of ${which} with its ending, such as ${member}.${example}`;
}
