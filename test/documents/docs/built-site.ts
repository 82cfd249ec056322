/** The site, built as `npm run docs:build` builds it, and served as hosts serve static files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
/** The folder of the built site. */
export const dist = join(root, 'docs', '.vitepress', 'dist');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Builds it; what the build said, and its exit status. */
export async function buildSite(): Promise<{ status: number; output: string }> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'docs.mjs'), 'build'], { cwd: root });
  const said = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said.output += text));
  }
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...said };
}

/** The addresses of the pages that were built: `/asking`, `/reference/api/`. */
export function builtPages(): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((name) => `/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.html') && name !== '/404.html')
    .map((name) => name.replace(/index\.html$/, '').replace(/\.html$/, ''))
    .sort();
}

/** A file of the site, by its path: `sitemap.xml`. */
export function readBuilt(path: string): string {
  return readFileSync(join(dist, path), 'utf8');
}

/** The HTML of a page, by its address. */
export function readPage(address: string): string {
  return readBuilt(address.endsWith('/') ? `${address}index.html` : `${address}.html`);
}

/** A server of the files, which the caller closes. It finds `/asking` in `asking.html`, as GitHub Pages does. */
export async function serveSite(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
    const named = path.endsWith('/') ? `${path}index.html` : path;
    const file = join(dist, extname(named) === '' ? `${named}.html` : named);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
