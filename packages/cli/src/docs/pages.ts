/** The documentation that this package brings with it: every page of the guide, and one for each error. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sigilError } from '@sigil-mcp/core/adapter';
import type { AsPlainObject } from 'minisearch';
import { codeOf } from '../failure';
import type { Shell } from '../terminal/shell';
import { wrapText } from '../terminal/wrap-text';

/** One page. */
export interface DocPage {
  /** The path on the site, without an ending: `how-to/errors`, `e/SIGIL_TOOL_NAME`. */
  readonly path: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** The words that people search it by. */
  readonly keywords: readonly string[];
  /** Markdown. */
  readonly text: string;
}

/** A part of a page, as a result of the search shows it. */
export interface DocSection {
  /** The path of its page. */
  readonly page: string;
  /** The titles down to the section. */
  readonly title: string;
  /** The anchor of its heading on the site; absent for the beginning of the page. */
  readonly anchor?: string;
  /** The beginning of its text, in one line. */
  readonly excerpt: string;
}

/** All pages, where the site is, and what the search needs. */
export interface Documentation {
  /** The address of the site, with a slash at the end. */
  readonly site: string;
  readonly pages: readonly DocPage[];
  readonly sections: readonly DocSection[];
  /** The index of minisearch, whose documents are the positions in `sections`. */
  readonly index: AsPlainObject;
  /** Words of a question that do not say what it is about, in lower case. */
  readonly silentWords: readonly string[];
}

/** Written by `npm run build`. */
const FILE = join(__dirname, '..', '..', 'dist', 'docs.json');

/** Reads the documentation once. Throws a `SigilError` if this package was packed without it. */
export const documentation = once(read);

/** The page of an error; undefined if there is no such code. */
export function errorPageOf(code: string): DocPage | undefined {
  return documentation().pages.find(({ path }) => path === `e/${code}`);
}

/** All codes of errors. */
export function errorCodes(): string[] {
  return documentation()
    .pages.filter(({ path }) => path.startsWith('e/'))
    .map(({ title }) => title);
}

/** The code in a text: a code, a code without `SIGIL_`, or a message that ends with one in brackets. Undefined if there is no code. */
export function codeIn(text: string): string | undefined {
  const codes = new Set(errorCodes());
  const words = text.toUpperCase().match(/[A-Z0-9_]+/g) ?? [];
  return words.flatMap((word) => [word, `SIGIL_${word}`]).find((word) => codes.has(word));
}

function read(): Documentation {
  try {
    // Written by our own build.
    return JSON.parse(readFileSync(FILE, 'utf8')) as Documentation;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw sigilError('SIGIL_INTERNAL', { what: `${FILE} is missing, which npm run build writes` });
  }
}

/** A function that calls another once, and returns its result each time. What it throws is not kept. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Cells of a line that are easy to read. */
const WIDEST = 100;

/**
 * Prints a page and its address: Markdown with its headings in bold, its code indented, its lines as wide as the terminal; unchanged where a
 * program reads it.
 */
export function showPage(shell: Shell, markdown: string, address: string): void {
  const { isTTY, columns = WIDEST } = shell.stdout;
  if (!isTTY) return shell.printData(`${markdown}\n${address}\n`);
  const { bold, dim } = shell.styles;
  let isCode = false;
  const lines = markdown
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [`    ${line}`];
      if (/^#+ /.test(line)) return [bold(line.replace(/^#+ /, ''))];
      // What Markdown needs between names: `A\\_B`.
      return wrapText(line.replace(/\\([_*<>])/g, '$1'), Math.min(columns, WIDEST));
    });
  shell.print(`${lines.join('\n')}\n\n${dim(address)}`);
}
