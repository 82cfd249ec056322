/** The pages of views that are in files: each is read once, when the server is defined, and served from memory. */
import { createHash } from 'node:crypto';
import { besideSource } from '@sigil-mcp/core';
import type { DeclaredView } from '../declared/view-fact';
import { inlineBridge } from '../inline-bridge';
import type { HtmlPage } from './page';
import { readPage } from './read-page';
import { readFileSync, statSync } from 'node:fs';

/** The largest page, in bytes: hosts receive it in one message and load it into a frame. */
const LARGEST = 8 * 1024 * 1024;

/** The text of a page, or why it cannot be read, in words that follow the name of the file. */
type PageText = { readonly html: string } | { readonly reason: string };

/** A page, read from its file. */
export interface ReadPage {
  /** As the author wrote it. */
  readonly file: string;
  readonly text: PageText;
  /** Undefined if the file could not be read. */
  readonly page: HtmlPage | undefined;
}

/** The pages of all views of a server. */
export class ViewPages {
  readonly #read = new WeakMap<DeclaredView, ReadPage>();

  /** The page of a view; undefined if its HTML is made, or it names no file. The file is read at the first time. */
  of(view: DeclaredView): ReadPage | undefined {
    const file: unknown = view.options.file;
    if (typeof file !== 'string' || file === '') return undefined;
    const known = this.#read.get(view);
    if (known) return known;
    const text = readPageFile(besideSource(file, view.source));
    const read = { file, text, page: 'html' in text ? readAuthored(text.html) : undefined };
    this.#read.set(view, read);
    return read;
  }

  /** The HTML of a view that is in a file. */
  htmlOf(view: DeclaredView): string | undefined {
    const text = this.of(view)?.text;
    return text && 'html' in text ? inlineBridge(text.html) : undefined;
  }

  /** A short text that changes with the page; undefined for a page that is made when it is read. */
  versionOf(view: DeclaredView): string | undefined {
    const html = this.htmlOf(view);
    return html === undefined ? undefined : createHash('sha256').update(html).digest('hex').slice(0, VERSION_LENGTH);
  }
}

const VERSION_LENGTH = 8;

/** Reads a page as its author wrote it: without the bridge, which the server writes into it. */
export function readAuthored(html: string): HtmlPage {
  return readPage(inlineBridge(html, () => ''));
}

/** Reads a page. The file is not opened if it is no file, because reading a pipe would wait. */
function readPageFile(path: string): PageText {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { reason: `(${path}) is not a file` };
    if (stats.size > LARGEST) return { reason: `(${path}) has ${stats.size} bytes, and ${LARGEST} are the limit` };
    return decode(readFileSync(path), path);
  } catch (error) {
    return { reason: `(${path}) ${reasonOf(error)}` };
  }
}

function decode(bytes: Uint8Array, path: string): PageText {
  try {
    // Without the byte order mark, which some editors write.
    return { html: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { reason: `(${path}) is not UTF-8` };
  }
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}
