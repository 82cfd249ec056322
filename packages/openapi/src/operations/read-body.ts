/** The bodies of an operation: that of its request, and that of its answer. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';
import { readShape, type Shape } from './shape';
import type { SuccessAnswer, Body, BodyKind, FormStyle, Note, Style } from './operation';

const NOTHING: SuccessAnswer = { kind: 'none', mediaType: '', schema: undefined };
const KINDS: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'bytes'];

/** The media type that a client sends best; undefined if the operation takes no body. */
export function readBody(given: unknown, pointers: Pointers, note: (text: string) => void): Body | undefined {
  if (given === undefined) return undefined;
  const found = pointers.follow(given)?.value;
  const content = found && isObject(found['content']) ? found['content'] : {};
  const inParts = Object.keys(content).filter((type) => kindOf(type) === 'multipart');
  const hasFiles = (type: string): boolean => [type, ...inParts].some((each) => holdsFile(content[each], pointers));
  const rank = (type: string): number => rankOf(type, hasFiles(type));
  const types = Object.keys(content).sort((a, b) => rank(a) - rank(b));
  const [mediaType] = types;
  const media = mediaType === undefined ? undefined : content[mediaType];
  if (!found || mediaType === undefined || !isObject(media)) {
    note('the body has no media type: it is left out');
    return undefined;
  }
  const isOther = (type: string): boolean =>
    kindOf(type) !== kindOf(mediaType) || JSON.stringify(content[type]) !== JSON.stringify(media);
  if (types.some(isOther)) note(`the body may be ${types.join(', ')}: it is sent as ${mediaType}`);
  return {
    kind: kindOf(mediaType),
    mediaType: sentType(mediaType),
    required: typeof found['required'] === 'boolean' ? found['required'] : undefined,
    description: typeof found['description'] === 'string' ? found['description'] : '',
    schema: media['schema'],
    styles: stylesOf(media['encoding']),
    contentTypes: contentTypesOf(media['encoding']),
  };
}

/**
 * The lower, the better: JSON comes first, files need several parts, and of those that are not `form-data` a client writes none.
 * @param hasFiles whether its own schema has files, or that of the parts, without which no file could be sent
 */
function rankOf(mediaType: string, hasFiles: boolean): number {
  const kind = kindOf(mediaType);
  if (isOtherMultipart(mediaType)) return KINDS.length + 1;
  if ((kind === 'json' || kind === 'form') && hasFiles) return KINDS.length;
  return KINDS.indexOf(kind) - (/^application\/json *(?:;|$)/i.test(mediaType) ? 1 : 0);
}

/** Whether a media type has several parts in a form that no client of ours writes, such as `multipart/mixed`. */
export function isOtherMultipart(mediaType: string): boolean {
  return kindOf(mediaType) !== 'multipart' && /^multipart\//i.test(mediaType);
}

function holdsFile(media: unknown, pointers: Pointers): boolean {
  if (!isObject(media)) return false;
  const contentTypes = contentTypesOf(media['encoding']);
  return [...readShape(media['schema'], pointers).properties].some(([name, member]) => {
    const read = readShape(member, pointers);
    const one = read.items === undefined ? read : readShape(read.items, pointers);
    return typesOfFile(one, contentTypes.get(name)) !== undefined;
  });
}

/** The media types and ranges that a document names for a file; undefined for other members. @param contentType of its `encoding` */
export function typesOfFile(shape: Shape, contentType: string | undefined): readonly string[] | undefined {
  const { format, contentMediaType, contentEncoding } = shape.keywords;
  const said = contentType ?? (typeof contentMediaType === 'string' ? contentMediaType : '');
  const types = said.split(',').flatMap((type) => type.split(';')[0]?.trim().toLowerCase() || []);
  const isText = shape.types.every((type) => type === 'string') && (shape.types.length > 0 || types.length > 0);
  const isBinary = format === 'binary' || (format === undefined && types.some((type) => kindOf(type) === 'bytes'));
  return isText && isBinary && contentEncoding === undefined && !shape.enum ? types : undefined;
}

/** The first answer of success, as JSON if there is a choice. */
export function readAnswer(responses: unknown, pointers: Pointers, note: Note): SuccessAnswer {
  const all = isObject(responses) ? responses : {};
  const statuses = Object.keys(all).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  const order = [...statuses.sort(), ...(statuses.length === 0 && 'default' in all ? ['default'] : [])];
  const answers = order.flatMap((status) => answerOf(pointers.follow(all[status])?.value));
  const [best] = ['json', 'text', 'bytes'].flatMap((kind) => answers.filter((each) => each.kind === kind));
  if (best) return best;
  const redirects = Object.keys(all).some((status) => /^30[1-378]$/.test(status));
  if (statuses.length === 0 && redirects) return { ...NOTHING, kind: 'location' };
  if (order.length === 0) note(undefined, 'the document does not say what success is');
  return NOTHING;
}

function answerOf(response: LooseObject | undefined): SuccessAnswer[] {
  const content = response && isObject(response['content']) ? response['content'] : {};
  return Object.entries(content).map(([mediaType, media]) => {
    const kind = kindOf(mediaType);
    const isText = kind === 'text' || kind === 'form' || kind === 'multipart';
    return { kind: isText ? 'text' : kind, mediaType, schema: isObject(media) ? media['schema'] : undefined };
  });
}

/** A range such as `image/*` is no type of a body, and neither is a text that no header can have. */
function sentType(mediaType: string): string {
  if (/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w-]+=(?:[\w!#$&^.+/-]+|"[\w !#$&^.+/-]*"))*$/.test(mediaType))
    return mediaType;
  const kind = kindOf(mediaType);
  if (kind === 'json') return 'application/json';
  return kind === 'text' ? 'text/plain' : 'application/octet-stream';
}

/** How a body of a media type is written. */
export function kindOf(mediaType: string): BodyKind {
  const [type = ''] = mediaType.toLowerCase().split(';');
  const plain = type.trim();
  if (/[/+]json$/.test(plain) || plain === '*/*' || plain === 'application/*') return 'json';
  if (plain === 'application/x-www-form-urlencoded') return 'form';
  if (plain === 'multipart/form-data') return 'multipart';
  return plain.startsWith('text/') || /[/+](?:xml|yaml|x-yaml|javascript|x-ndjson)$/.test(plain) ? 'text' : 'bytes';
}

function stylesOf(encoding: unknown): ReadonlyMap<string, FormStyle> {
  const entries = isObject(encoding) ? Object.entries(encoding) : [];
  return new Map(
    entries.flatMap(([name, given]) => {
      if (!isObject(given)) return [];
      const { explode } = given;
      const isJson = typeof given['contentType'] === 'string' && kindOf(given['contentType']) === 'json';
      const said = FORM_STYLES.find((each) => each === given['style']);
      const style = said ?? (explode === undefined ? isJson && 'json' : 'form');
      if (style === undefined || style === false) return [];
      return [[name, { style, explode: typeof explode === 'boolean' ? explode : style === 'form' }] as const];
    }),
  );
}

function contentTypesOf(encoding: unknown): ReadonlyMap<string, string> {
  const entries = isObject(encoding) ? Object.entries(encoding) : [];
  return new Map(
    entries.flatMap(([name, given]) =>
      isObject(given) && typeof given['contentType'] === 'string' ? [[name, given['contentType']] as const] : [],
    ),
  );
}

const FORM_STYLES: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];
