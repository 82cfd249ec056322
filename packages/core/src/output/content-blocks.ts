/**
 * Content blocks for tool results and prompt messages. Only the results of these functions count as content; a
 * plain object that looks like a block is data.
 */
import { types } from 'node:util';
import { isObject, nameValue, OPTION_RULES, requireOptions, withOthers, type OptionRule } from '@sigil-mcp/base';
import {
  METADATA_RULES,
  type Annotations,
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type Meta,
  type Resource,
  type ResourceContents,
  type ResourceLink,
  type TextContent,
} from '@sigil-mcp/protocol';
import { mixedOutput, unwritableOutput } from '../errors/failures';

/** What handlers return for binary data; a `Buffer` is one. */
export type Bytes = Uint8Array;

/** Marks blocks that were built here; symbols are not written to JSON. `Symbol.for`, so that it holds across copies of the package. */
const CONTENT = Symbol.for('sigil.content');

/** The options of every block, in addition to its content. */
export interface BlockOptions {
  /** Its audience, its priority, and when it changed; none if left out. */
  readonly annotations?: Annotations;
  /** Its `_meta`; none if left out. */
  readonly meta?: Meta;
}

const OPTIONS: Readonly<Record<keyof BlockOptions, OptionRule>> = {
  annotations: METADATA_RULES.annotations,
  meta: OPTION_RULES.object,
};

/**
 * Makes a block of plain text.
 * @example return [text('The radar of this hour:'), image(png, 'image/png')];
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function text(value: string, options?: BlockOptions): TextContent {
  // Spelt out here and below, because nearly every result has such a block and a spread takes twenty times as long.
  if (!options) return { type: 'text', text: value, [CONTENT]: true } as TextContent;
  return markContent<TextContent>({ type: 'text', text: value, ...written(options) });
}

/**
 * Makes an image block of bytes or base64 text, for the result of a tool or a prompt.
 * @param data bytes, or base64 text
 * @example return image(png, 'image/png');
 */
export function image(data: Bytes | string, mimeType: string, options?: BlockOptions): ImageContent {
  if (!options) return { type: 'image', data: toBase64(data), mimeType, [CONTENT]: true } as ImageContent;
  return markContent<ImageContent>({ type: 'image', data: toBase64(data), mimeType, ...written(options) });
}

/**
 * Makes an audio block.
 * @param data bytes, or base64 text
 * @example return audio(wav, 'audio/wav');
 */
export function audio(data: Bytes | string, mimeType: string, options?: BlockOptions): AudioContent {
  if (!options) return { type: 'audio', data: toBase64(data), mimeType, [CONTENT]: true } as AudioContent;
  return markContent<AudioContent>({ type: 'audio', data: toBase64(data), mimeType, ...written(options) });
}

/**
 * Makes a block that links to a resource, which the client may read and which need not be listed.
 * @example return resourceLink({ uri: 'weather://oslo/today', name: 'Oslo today' });
 */
export function resourceLink(resource: Resource): ResourceLink {
  return markContent<ResourceLink>({ ...resource, type: 'resource_link' });
}

/**
 * Makes a block that embeds a resource with its contents.
 * @param contents its URI, its MIME type, and either `text` or `blob`: bytes, or base64 text
 * @example return embedded({ uri: 'weather://oslo/today', mimeType: 'text/plain', text: 'Sun, 21 °C' });
 */
export function embedded(
  contents: Omit<ResourceContents, 'blob'> & { readonly blob?: Bytes | string },
  options?: BlockOptions,
): EmbeddedResource {
  const { blob, ...rest } = contents;
  const resource: ResourceContents = blob === undefined ? rest : { ...rest, blob: toBase64(blob) };
  return markContent<EmbeddedResource>({ type: 'resource', resource, ...written(options) });
}

/** Whether a value was built by one of these functions. */
export function isContentBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && CONTENT in value;
}

/** A copy of a block that counts as built here. */
export function markContent<T extends object>(block: T): T {
  return { ...block, [CONTENT]: true };
}

function written(options: BlockOptions | undefined): { annotations?: Annotations; _meta?: Meta } {
  // `texts.map(text)` passes the index of each.
  if (typeof options === 'object') requireOptions('block', options, OPTIONS);
  return {
    ...(options?.annotations && { annotations: options.annotations }),
    ...(options?.meta && { _meta: options.meta }),
  };
}

/** Whether a value is binary data. */
export function isBytes(value: unknown): value is Bytes {
  return value instanceof Uint8Array;
}

/** Bytes -> base64; text is taken as base64 already. */
export function toBase64(data: Bytes | string): string {
  if (typeof data === 'string') return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

// Lists of content: blocks and text, without the blocks that a condition left out.

/** Where a list was returned, for the error about what is no content. */
interface ListLocation {
  /** `WeatherFeature.forecast`. */
  readonly where: string;
  /** Names from the result down to the list; none where it is the result. */
  readonly path: readonly string[];
}

/** Whether a value is an array or a Set with a block in it; one of nothing but text is data. */
export function isContentList(value: unknown): value is Iterable<unknown> {
  if (Array.isArray(value)) return value.some(isContentBlock);
  return types.isSet(value) && [...value].some(isContentBlock);
}

/**
 * The blocks of a list; undefined, null and false are left out.
 * @throws InvalidOutput for what is neither text nor a block
 */
export function contentBlocks(list: Iterable<unknown>, place: ListLocation): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let index = 0;
  for (const item of list) {
    if (typeof item === 'string') blocks.push(text(item));
    else if (isBlock(item)) blocks.push(item);
    else if (item !== undefined && item !== null && item !== false) throw noContent(item, index, place);
    index += 1;
  }
  return blocks;
}

function noContent(item: unknown, index: number, { where, path }: ListLocation): Error {
  const place = [...path, index];
  if (isBytes(item)) return unwritableOutput(where, { path: place, what: 'binary data', isBytes: true });
  return mixedOutput(where, place, nameValue(item));
}

/** Whether a value is a block, made by our functions or written out. */
export function isBlock(value: unknown): value is ContentBlock {
  return isContentBlock(value) || (isObject(value) && isWrittenBlock(value));
}

function isWrittenBlock(block: Readonly<Record<string, unknown>>): boolean {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string';
    case 'resource':
      return isResourceText(block['resource']);
    case 'resource_link':
      return typeof block['uri'] === 'string' && typeof block['name'] === 'string';
    default:
      return false;
  }
}

/** Whether a value is a piece of a resource's contents, written out. */
export function isResourceText(value: unknown): value is { readonly uri: string } {
  if (!isObject(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

// The contents of a resource, if one value is not enough: several parts, their own types, metadata.

const madeByContents = Symbol.for('sigil.resource-contents');

/** One piece of a resource's contents. */
export interface ResourcePiece {
  /** URI of a sub-resource; the URI that was read if left out. */
  readonly uri?: string;
  /** MIME type of the piece; that of the resource, or else the one that the data implies, if left out. */
  readonly mimeType?: string;
  /** Text stays text, bytes become a blob, other data becomes JSON text. */
  readonly data: unknown;
  /** What the piece travels with as `_meta`; nothing if left out. */
  readonly meta?: Meta;
}

const MEMBERS: Readonly<Record<keyof ResourcePiece, OptionRule | undefined>> = {
  uri: undefined,
  mimeType: undefined,
  data: undefined,
  meta: undefined,
};
/** A piece may be a row of a database. */
const RULES = withOthers(MEMBERS, { needs: 'data' });

/** What a resource's method returns to say its contents piece by piece; made by `contents`. */
export interface ResourceContentsList {
  readonly pieces: readonly ResourcePiece[];
  readonly [madeByContents]: true;
}

/**
 * Says a resource's contents piece by piece.
 * @throws DefinitionError for a member that is misspelt
 * @param pieces in the order in which the client gets them
 * @example return contents({ data: readme, mimeType: 'text/markdown' }, { uri: `${uri}/logo`, data: png, mimeType: 'image/png' });
 */
export function contents(...pieces: ResourcePiece[]): ResourceContentsList {
  for (const piece of pieces)
    for (const name in piece) if (!Object.hasOwn(MEMBERS, name)) requireOptions('contents', piece, RULES);
  return { pieces, [madeByContents]: true };
}

/** Whether a value was made by `contents`. */
export function isResourceContents(value: unknown): value is ResourceContentsList {
  return typeof value === 'object' && value !== null && madeByContents in value;
}
