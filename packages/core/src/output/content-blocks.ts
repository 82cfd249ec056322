/**
 * Content blocks for tool results and prompt messages. Only what these functions make counts as content; a plain object
 * that looks like a block is data.
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
  readonly annotations?: Annotations;
  readonly meta?: Meta;
}

/** Plain text. */
export function text(value: string, options?: BlockOptions): TextContent {
  // Spelt out, because nearly every result has one.
  if (!options) return { type: 'text', text: value, [CONTENT]: true } as TextContent;
  return mark<TextContent>({ type: 'text', text: value, ...written(options) });
}

/** A picture: bytes, or base64 text. */
export function image(data: Bytes | string, mimeType: string, options?: BlockOptions): ImageContent {
  return mark<ImageContent>({ type: 'image', data: toBase64(data), mimeType, ...written(options) });
}

/** Sound: bytes, or base64 text. */
export function audio(data: Bytes | string, mimeType: string, options?: BlockOptions): AudioContent {
  return mark<AudioContent>({ type: 'audio', data: toBase64(data), mimeType, ...written(options) });
}

/** A pointer to a resource that the client may read; it need not be listed. */
export function resourceLink(resource: Resource): ResourceLink {
  return mark<ResourceLink>({ ...resource, type: 'resource_link' });
}

/** A resource with its contents in it: text, or bytes as `blob`. */
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
