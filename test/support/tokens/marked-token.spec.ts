/** A token is marked, sent on every way in, and then looked for in everything that is left of it. */
import { issuer as openIssuer, type TestIssuer } from '@sigil-mcp/testing';
import { META_KEYS } from '@sigil-mcp/protocol';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyWay, REVISIONS, type Way } from './every-way';
import { RESOURCE } from './guarded-notes';

const folder = mkdtempSync(join(tmpdir(), 'sigil-marked-'));
let issuer: TestIssuer;
let server: ChildProcess;
let url: string;
let said = '';
beforeAll(async () => {
  issuer = await openIssuer({ audience: RESOURCE });
  const env = { ...process.env, ISSUER: issuer.url };
  server = fork(join(__dirname, 'marked-server.mjs'), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [], env });
  for (const pipe of [server.stdout, server.stderr]) pipe?.on('data', (text) => (said += String(text)));
  const failed = once(server, 'exit').then(() => Promise.reject(new Error(said)));
  failed.catch(() => undefined);
  const [message] = (await Promise.race([once(server, 'message'), failed])) as [{ url: string }];
  url = message.url;
});
afterAll(async () => {
  server.kill();
  await issuer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Tokens that are let in, and tokens that fail in each room that sees them. */
function makeTokens(): readonly string[] {
  const good = issuer.token({ sub: 'marked', scope: 'notes:read' });
  return [
    good,
    `${good.slice(0, -6)}AAAAAA`,
    issuer.token({ expiresIn: -60_000 }),
    issuer.token({ aud: 'https://mcp.example.com/other' }),
    issuer.token({ alg: 'HS256' }),
    issuer.token({ kid: 'nobody' }),
    issuer.token({ claims: { explode: true } }),
    issuer.token({ claims: { cnf: { jkt: 'x' } } }),
    `made-up-${'mark'.repeat(10)}`,
    `two made-up-${'words'.repeat(10)}`,
  ];
}

/** The parts of a token by which it would be known. */
const marksOf = (token: string): string[] =>
  token.split(/[. ]/).flatMap((part) => (part.length < 40 || part.startsWith('eyJhbGciOi') ? [] : [part.slice(-30)]));

const META = {
  [META_KEYS.protocolVersion]: '2026-07-28',
  [META_KEYS.clientCapabilities]: { elicitation: {} },
};

async function ask(name: string, authorization: string): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: META } };
  const headers = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}

/** All that clients were answered. */
async function sendEverywhere(tokens: readonly string[]): Promise<string> {
  const [good] = tokens;
  const answers: unknown[] = [];
  for (const token of tokens) {
    const send = async (way: Way): Promise<void> => void answers.push(await way.send(`Bearer ${token}`));
    for (const revision of REVISIONS) await everyWay(url, revision, `Bearer ${good}`, send);
    for (const name of ['count', 'fail', 'ask']) answers.push(await ask(name, `Bearer ${token}`));
  }
  return JSON.stringify(answers);
}

/** Which of the marks are in the memory of the server, whose sessions are open. */
async function searchHeap(marks: readonly string[]): Promise<readonly string[]> {
  const file = join(folder, 'heap.heapsnapshot');
  const done = once(server, 'message');
  server.send({ heap: file });
  await done;
  const found = new Set<string>();
  let text = '';
  for await (const part of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
    text = text.slice(-2000) + part;
    for (const mark of marks) if (text.includes(mark)) found.add(mark);
  }
  return [...found];
}

it('no token is in an answer, a log, a sealed state or the memory of a server that has seen it [AUTH-009, AUTH-020]', async () => {
  const tokens = makeTokens();
  const marks = tokens.flatMap(marksOf);
  expect(marks.length).toBeGreaterThanOrEqual(tokens.length);
  const answers = await sendEverywhere(tokens);
  // What would make the search worthless: nothing was let in, asked, logged or failed.
  expect(answers).toContain('requestState');
  expect(answers).toContain('marked');
  for (const word of ['called', 'failed', 'exploded']) expect(said).toContain(word);
  for (const mark of marks) {
    expect(answers).not.toContain(mark);
    expect(said).not.toContain(mark);
  }
  // Requests without a token, so that what the last one left in Node's own buffers gives way.
  for (let count = 0; count < 20; count += 1) await (await fetch(url)).text();
  expect(await searchHeap(marks)).toEqual([]);
  // The search finds what is there.
  expect(await searchHeap([RESOURCE])).toEqual([RESOURCE]);
}, 120_000);
