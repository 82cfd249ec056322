/** What a server answered, for people: text as it is, bytes as files, links by name. */
import type { ContentBlock, ResourceContents } from '../official-client';
import { plain } from '../terminal/plain-text';
import type { Styles } from '../terminal/styles';
import { saveFile } from './save-file';

/** The place that content is written for: a terminal or a pipe, and a folder. */
export interface Destination {
  /** The folder for files. */
  readonly folder: string;
  readonly styles: Styles;
  /** Whether a person reads it now: then it holds nothing that a terminal would obey. */
  readonly isTerminal: boolean;
}

/** The text for one block of content; what is no text is saved. */
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
      const about = block.description === undefined ? '' : `: ${plain(block.description)}`;
      return `${destination.styles.bold(plain(block.title ?? block.name))} <${plain(block.uri)}>${about}`;
    }
  }
}

/** The text of a resource; bytes are saved. */
export function showContents(contents: ResourceContents, destination: Destination): string {
  if ('text' in contents) return readable(contents.text, destination);
  const stem = contents.uri.split(/[/?#]/).filter(Boolean).at(-1) ?? 'resource';
  return saved(destination, { data: contents.blob, mimeType: contents.mimeType, stem: stem.replace(/\.\w+$/, '') });
}

function saved(destination: Destination, bytes: { data: string; mimeType?: string | undefined; stem: string }): string {
  const { data, mimeType = 'application/octet-stream', stem } = bytes;
  const path = saveFile(destination.folder, { data, mimeType, stem });
  return `${destination.styles.good('Saved')} ${path} (${plain(mimeType)}, ${size(Buffer.byteLength(data, 'base64'))})`;
}

/** A text as it is for programs; a person gets JSON laid out over several lines. */
function readable(text: string, { isTerminal }: Destination): string {
  if (!isTerminal) return text;
  if (!/^\s*[[{]/.test(text)) return plain(text);
  try {
    return plain(JSON.stringify(JSON.parse(text), undefined, 2));
  } catch {
    return plain(text);
  }
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
