/** Formats the answer of a server: text as it is, binary content as files, links by name. */
import type { ContentBlock, ResourceContents } from '@sigil-mcp/protocol';
import type { Styles } from '../terminal/styles';
import { visible } from '@sigil-mcp/base';
import type { SavedFiles } from './saved-files';

/** The destination of content: a terminal or a pipe, and a folder. */
export interface Destination {
  readonly files: SavedFiles;
  readonly styles: Styles;
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
}

/** The text of a content block; all other content is saved. */
export function showContent(block: ContentBlock, destination: Destination): string {
  switch (block.type) {
    case 'text':
      return readable(block.text, destination);
    case 'image':
    case 'audio':
      return saved(destination, { ...block, stem: block.type });
    case 'resource':
      return showContents(block.resource, destination);
    case 'resource_link': {
      const about = block.description === undefined ? '' : `: ${visible(block.description)}`;
      return `${destination.styles.bold(visible(block.title ?? block.name))} <${visible(block.uri)}>${about}`;
    }
    default: // of a newer revision
      return visible(JSON.stringify(block));
  }
}

/** The text of a resource; binary content is saved. */
export function showContents(contents: ResourceContents, destination: Destination): string {
  const { text, blob: data = '', mimeType } = contents;
  if (text !== undefined) return readable(text, destination);
  const stem = contents.uri.split(/[/?#]/).filter(Boolean).at(-1) ?? 'resource';
  return saved(destination, { data, mimeType, stem: stem.replace(/\.\w+$/, '') });
}

function saved(destination: Destination, bytes: { data: string; mimeType?: string | undefined; stem: string }): string {
  const { data, mimeType = 'application/octet-stream', stem } = bytes;
  const path = destination.files.save({ data, mimeType, stem });
  return `${destination.styles.good('Saved')} ${path} (${visible(mimeType)}, ${size(Buffer.byteLength(data, 'base64'))})`;
}

/** The unchanged text; at a terminal JSON is indented. */
function readable(text: string, { isTerminal }: Destination): string {
  if (!isTerminal || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
