/**
 * Content blocks for tool results and prompt messages. By itself, only what these functions make counts as content; a
 * plain object that looks like a block is data.
 */
import type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  Meta,
  Resource,
  ResourceContents,
  ResourceLink,
  TextContent,
} from '@sigil-mcp/protocol';
import { toBase64, type Bytes } from './bytes';

/** Marks what was built here; symbols are not written as JSON. `Symbol.for`, so that it holds across copies of the package. */
const CONTENT = Symbol.for('sigil.content');

/** What every block may have beside its content. */
export interface BlockOptions {
  /** For whom the block is, how important it is, and when it changed; not said if left out. */
  readonly annotations?: Annotations;
  /** What the block travels with as `_meta`; nothing if left out. */
  readonly meta?: Meta;
}

/**
 * Makes a block of plain text.
 * @example return [text('The radar of this hour:'), image(png, 'image/png')];
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function text(value: string, options?: BlockOptions): TextContent {
  // Spelt out here and below, because nearly every result has such a block and a spread takes twenty times as long.
  if (!options) return { type: 'text', text: value, [CONTENT]: true } as TextContent;
  return mark<TextContent>({ type: 'text', text: value, ...written(options) });
}

/**
 * Makes a block of a picture.
 * @param data bytes, or base64 text
 * @example return image(png, 'image/png');
 */
export function image(data: Bytes | string, mimeType: string, options?: BlockOptions): ImageContent {
  if (!options) return { type: 'image', data: toBase64(data), mimeType, [CONTENT]: true } as ImageContent;
  return mark<ImageContent>({ type: 'image', data: toBase64(data), mimeType, ...written(options) });
}

/**
 * Makes a block of sound.
 * @param data bytes, or base64 text
 * @example return audio(wav, 'audio/wav');
 */
export function audio(data: Bytes | string, mimeType: string, options?: BlockOptions): AudioContent {
  if (!options) return { type: 'audio', data: toBase64(data), mimeType, [CONTENT]: true } as AudioContent;
  return mark<AudioContent>({ type: 'audio', data: toBase64(data), mimeType, ...written(options) });
}

/**
 * Makes a block that points to a resource, which the client may read and which need not be listed.
 * @example return resourceLink({ uri: 'weather://oslo/today', name: 'Oslo today' });
 */
export function resourceLink(resource: Resource): ResourceLink {
  return mark<ResourceLink>({ ...resource, type: 'resource_link' });
}

/**
 * Makes a block of a resource with its contents in it.
 * @param contents its URI, its MIME type, and either `text` or `blob`: bytes, or base64 text
 * @example return embedded({ uri: 'weather://oslo/today', mimeType: 'text/plain', text: 'Sun, 21 °C' });
 */
export function embedded(
  contents: Omit<ResourceContents, 'blob'> & { readonly blob?: Bytes | string },
  options?: BlockOptions,
): EmbeddedResource {
  const { blob, ...rest } = contents;
  const resource: ResourceContents = blob === undefined ? rest : { ...rest, blob: toBase64(blob) };
  return mark<EmbeddedResource>({ type: 'resource', resource, ...written(options) });
}

/** Whether a value was built by one of these functions. */
export function isContentBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && CONTENT in value;
}

function mark<T extends object>(block: T): T {
  return { ...block, [CONTENT]: true };
}

function written(options: BlockOptions | undefined): { annotations?: Annotations; _meta?: Meta } {
  return {
    ...(options?.annotations && { annotations: options.annotations }),
    ...(options?.meta && { _meta: options.meta }),
  };
}
