/**
 * Content blocks for tool results and prompt messages. Only the results of these functions count as content; a
 * plain object that looks like a block is data.
 */
import { OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/base';
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
