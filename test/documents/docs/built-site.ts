/** The site, built as `npm run docs:build` builds it, and served as hosts serve static files. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/** A site that was built: of what, which one it is, and what the build said. */
interface Built {
  readonly inputs: string;
  readonly site: number;
  readonly output: string;
}
const kept = join(root, '.sigil', 'built-site.json');

/** Builds it, unless the one that is there was built of the same files; what the build said, and its exit status. */
export async function buildSite(): Promise<{ status: number; output: string }> {
  const inputs = digestOfInputs();
  const last = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Built) : undefined;
  if (last?.inputs === inputs && last.site === timeOfSite()) return { status: 0, output: last.output };
  const built = await runBuild();
  const facts: Built = { inputs, site: timeOfSite(), output: built.output };
  if (built.status === 0) writeFileSync(kept, JSON.stringify(facts));
  return built;
}

/** Of the sizes and times of all files that the site may show, or is made with. */
function digestOfInputs(): string {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const names = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .sort();
  const digest = createHash('sha256').update(process.version);
  for (const name of names.filter((each) => existsSync(join(root, each)))) {
    const { size, mtimeMs } = statSync(join(root, name));
    digest.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return digest.digest('hex');
}

function timeOfSite(): number {
  return statSync(join(dist, 'sitemap.xml'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function runBuild(): Promise<{ status: number; output: string }> {
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
  return (
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .map((name) => `/${name.replaceAll('\\', '/')}`)
      // The short address of an error leads to a page.
      .filter((name) => name.endsWith('.html') && name !== '/404.html' && !name.startsWith('/e/'))
      .map((name) => name.replace(/index\.html$/, '').replace(/\.html$/, ''))
      .sort()
  );
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
