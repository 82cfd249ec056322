/** The pages of views that are in files: each is read once, when the server is defined, and served from memory. */
import { createHash } from 'node:crypto';
import { besideSource } from '@sigil-mcp/core';
import type { DeclaredView } from '../declared/view-fact';
import { inlineBridge } from '../inline-bridge';
import type { HtmlPage } from './page';
import { readPageFile, type PageText } from './page-file';
import { readPage } from './read-page';

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
