/** The files of a body in several parts: what their names and media types are, as far as a document says it. */
import { FILE_TYPES, endingOf } from '../../file-types';
import type { Body } from '../operations/operation';
import { kindOf } from '../operations/read-body';
import type { Shape } from './shape';

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
  if (kind !== 'multipart') return undefined;
  const { format, contentMediaType, contentEncoding } = shape.keywords;
  const said = contentTypes.get(member) ?? (typeof contentMediaType === 'string' ? contentMediaType : '');
  const types = said.split(',').flatMap((type) => type.split(';')[0]?.trim().toLowerCase() || []);
  const isText = shape.types.every((type) => type === 'string') && (shape.types.length > 0 || types.length > 0);
  const isBinary = format === 'binary' || (format === undefined && types.some((type) => kindOf(type) === 'bytes'));
  if (!isText || !isBinary || contentEncoding !== undefined || shape.enum) return undefined;
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
