/** The files of the page, as they are in the package: no build step, and no file by a path from a request. */
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The folder of the page, at the top of this package. */
const FOLDER = join(dirname(require.resolve('@sigil-mcp/inspector/package.json')), 'page');

/** The files of the page itself. */
const OWN = [
  'index.html',
  'page.css',
  'icon.svg',
  'api.js',
  'broken-screen.js',
  'callers-screen.js',
  'checks-screen.js',
  'copy-as.js',
  'diff.js',
  'entry-arguments.js',
  'entry-screen.js',
  'exchange-detail.js',
  'form-values.js',
  'go-to.js',
  'hidden-values.js',
  'home-screen.js',
  'json-view.js',
  'main.js',
  'markup.js',
  'message-words.js',
  'open-in-editor.js',
  'question-rules.js',
  'questions-screen.js',
  'result-view.js',
  'rounds.js',
  'run-times.js',
  'schema-form.js',
  'shell.js',
  'store.js',
  'task-view.js',
  'tokens.js',
  'traffic-model.js',
  'traffic-row.js',
  'traffic-screen.js',
  'view-frame.js',
  'waterfall.js',
];

/** The libraries: name in the URL -> name of the package, and the file in its folder. */
const LIBRARIES: Readonly<Record<string, readonly [string, string]>> = {
  'vendor/preact.js': ['preact', 'dist/preact.module.js'],
  'vendor/hooks.js': ['preact', 'hooks/dist/hooks.module.js'],
  'vendor/htm.js': ['htm', 'dist/htm.module.js'],
};

/** The names that modules import, and where a browser finds them. */
const ADDRESSES: readonly (readonly [RegExp, string])[] = [
  [/(from\s*)["']preact["']/g, '$1"/__sigil/vendor/preact.js"'],
  [/(from\s*)["']preact\/hooks["']/g, '$1"/__sigil/vendor/hooks.js"'],
  [/(from\s*)["']htm["']/g, '$1"/__sigil/vendor/htm.js"'],
];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What the page may load: nothing but its own files, and images and sounds that are in a result. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of all answers. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Reads and compresses each file once. */
export class PageFiles {
  readonly #read = new Map<string, Buffer>();

  /**
   * Answers with a file.
   * @param name below the path of the page
   * @param framed the origin that it may frame; none if left out
   * @returns false if the page has no such file
   */
  serve(name: string, response: ServerResponse, framed?: string): boolean {
    const file = name === '' ? 'index.html' : name;
    const body = this.#find(file);
    if (!body) return false;
    response.writeHead(200, {
      ...SAFE_HEADERS,
      'content-type': TYPES[extname(file)],
      // Every browser that can show the page reads it.
      'content-encoding': 'gzip',
      'content-length': body.length,
      'content-security-policy': framed === undefined ? POLICY : `${POLICY}; frame-src ${framed}`,
    });
    response.end(body);
    return true;
  }

  #find(name: string): Buffer | undefined {
    const known = this.#read.get(name);
    if (known) return known;
    const path = pathOf(name);
    const read = path === undefined ? undefined : gzipSync(addressed(name, readFileSync(path)));
    if (read) this.#read.set(name, read);
    return read;
  }
}

/** The path of a file by its name; undefined if the page has no such file. */
function pathOf(name: string): string | undefined {
  if (OWN.includes(name)) return join(FOLDER, name);
  const [library, file] = (Object.hasOwn(LIBRARIES, name) ? LIBRARIES[name] : undefined) ?? [];
  // Not every package exports its package.json.
  return library === undefined || file === undefined ? undefined : join(folderOf(library), file);
}

function folderOf(library: string): string {
  const [main = ''] = [require.resolve(library)];
  return dirname(dirname(main));
}

/** A type within a line. */
const TYPE = /\/\*\* @[^*]*\*\/ ?/g;

/** A line that is nothing but a comment. */
const COMMENT = /^[ \t]*(?:\/\*\*.*|\*\/|\*(?: .*)?|\/\/.*)$/gm;

/** The beginning of a line, and lines without anything: browsers need neither. */
const INDENT = /^[ \t]+|^\r?\n/gm;

/**
 * A file without indentation; a module without comments, too, whose imports name addresses. With the comments, the names of source maps are left
 * out, which are not served.
 */
function addressed(name: string, body: Buffer): Buffer {
  if (extname(name) === '.css') return Buffer.from(body.toString('utf8').replace(INDENT, ''));
  if (extname(name) !== '.js') return body;
  const text = body.toString('utf8').replace(COMMENT, '').replace(TYPE, '').replace(INDENT, '');
  return Buffer.from(ADDRESSES.reduce((rest, [from, to]) => rest.replaceAll(from, to), text));
}
