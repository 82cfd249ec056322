/** Who may read the page and use its routes: nobody without the key, and no other page. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '@sigil-mcp/core/adapter';
import { SecondLine } from '@sigil-mcp/cli/kit/dev';
import { DevPage } from '../src/dev-page';

const ROUTES = [
  'list',
  'call',
  'judge',
  'doctor',
  'contract',
  'tests',
  'view',
  'cancel',
  'answer',
  'token',
  'clear',
  'test',
] as const;
const programs = jest.fn(() => undefined);

let page: DevPage;
let port: number;
let key: string;
beforeEach(async () => {
  const reach = { address: undefined, second: new SecondLine(), program: programs };
  page = new DevPage({ folder: __dirname, clock: systemClock, reach });
  port = await page.listen();
  key = new URL(page.urlAt(port)).hash.slice(1);
});
afterEach(() => page.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Bytes of the body, as they were sent. */
  readonly sent: number;
}

function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { connection: 'close', ...headers } });
    sent.on('error', reject).on('response', (response) => {
      const pieces: Buffer[] = [];
      response
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () => {
          const body = Buffer.concat(pieces);
          const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
          resolve({ status: response.statusCode, headers: response.headers, text: text.toString(), sent: body.length });
        });
    });
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

const post = (route: string, headers: Record<string, string>): Promise<Answer> =>
  ask(`/__sigil/api/${route}`, 'POST', { 'content-type': 'application/json', ...headers });

it('has a key of at least 128 bits in the fragment, which no request carries by itself', () => {
  expect(Buffer.from(key, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect(new URL(page.urlAt(port)).search).toBe('');
});

it.each(ROUTES)('answers nothing at %s without the key, or with a wrong one', async (route) => {
  const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
  for (const given of [{}, { 'x-sigil-key': wrong }, { 'x-sigil-key': '' }, { authorization: `Bearer ${key}` }]) {
    const { status, text } = await post(route, given);
    expect([status, text]).toEqual([401, expect.stringContaining('key')]);
  }
  expect((await ask(`/__sigil/api/${route}?key=${key}`, 'POST')).status).toBe(401);
});

it.each([...ROUTES, 'events'])('refuses %s to another page, also with the key', async (route) => {
  const method = route === 'events' ? 'GET' : 'POST';
  const foreign = [
    { origin: 'http://evil.example' },
    { origin: `https://127.0.0.1:${port}` },
    { origin: 'null' },
    { host: `evil.example:${port}` },
    { host: 'localhost:1' },
    { host: '127.0.0.1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const sent = { 'content-type': 'application/json', 'x-sigil-key': key, ...headers } as Record<string, string>;
    const { status } = await ask(`/__sigil/api/${route}`, method, sent);
    expect([headers, status]).toEqual([headers, 403]);
  }
});

it('takes no form of another page, and no other method', async () => {
  const headers = { 'x-sigil-key': key, 'content-type': 'text/plain' };
  expect((await post('clear', headers)).status).toBe(415);
  expect((await ask('/__sigil/api/clear', 'PUT', { 'x-sigil-key': key })).status).toBe(405);
  expect((await post('clear', { 'x-sigil-key': key })).status).toBe(200);
});

it('starts no program that a request names', async () => {
  const run = { command: 'touch', args: ['x'], program: 'x', serverConfig: { command: 'touch' } };
  for (const route of ['connect', 'run', 'spawn', 'stdio', 'open', ...Object.keys(run)]) {
    const { status } = await post(route, { 'x-sigil-key': key });
    expect([route, status]).toEqual([route, 404]);
  }
  expect(programs).not.toHaveBeenCalled();
});

it.each([
  '..%2Fpackage.json',
  '../package.json',
  'tsconfig.json',
  'vendor/../../package.json',
  '__proto__',
  'constructor',
])('serves no file %s', async (name) => {
  expect((await ask(`/__sigil/${name}`)).status).toBe(404);
});

it('is not framed, not sniffed, not cached, and runs no script but its own', async () => {
  const { status, headers, text } = await ask('/__sigil/');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(/default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/),
  });
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
  expect(text).not.toMatch(/<script>|<script [^>]*>[^<]|style=| on\w+=/);
});

it('weighs less than 70 KB with its libraries, as it is sent', async () => {
  const seen = new Map<string, number>();
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    const { status, text, sent } = await ask(`/__sigil/${name}`);
    expect([name, status]).toEqual([name, 200]);
    seen.set(name, sent);
    const names = [...text.matchAll(/(?:from ?|(?:href|src)=)["'](?:\/__sigil\/|\.\/)([\w./-]+)["']/g)];
    for (const [, next = ''] of names) await visit(next);
  };
  await visit('');
  expect(seen.size).toBeGreaterThan(25);
  expect([...seen.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000);
});
