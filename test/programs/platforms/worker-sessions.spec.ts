/** Sessions of a Cloudflare Worker: each is served by a Durable Object, whose storage outlives the process. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@sigil-mcp/testing';
import { describeWith } from '../../support/supplies/supply';
import { connectSdk1 } from '../e2e/official-sdk-1';
import { describePlatform, type OpenPlatform } from './platform-specs';
import { bundleWorker, runWorkerd } from './run-platform';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'sigil-worker-sessions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let bundle: Promise<string> | undefined;
const bundled = (): Promise<string> => (bundle ??= bundleWorker('worker-with-sessions', folder));

/** @param disk the name of a folder for the storage of objects */
async function open(disk: string): Promise<OpenPlatform> {
  mkdirSync(join(folder, disk), { recursive: true });
  return runWorkerd(await bundled(), { objects: { className: 'Sessions', binding: 'SESSIONS', disk } });
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) });
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Initializes and returns the headers of the session. */
async function initialize(url: string): Promise<{ readonly 'mcp-session-id': string }> {
  const answer = await post(url, INITIALIZE);
  await answer.text();
  const headers = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  const noted = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  expect([answer.status, noted.status]).toEqual([200, 202]);
  return headers;
}

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

describeWith('platforms', 'a Worker with Durable Objects', () => {
  describePlatform(() => open('disk'));

  describe('and its sessions', () => {
    let worker: OpenPlatform;
    beforeAll(async () => void (worker = await open('sessions')));
    afterAll(() => worker?.close());

    it('serves each in an object of its own', async () => {
      const [one, other] = [await initialize(worker.url), await initialize(worker.url)];
      const objects = [one, other].map((headers) => headers['mcp-session-id'].split('.')[0]);
      expect(new Set(objects).size).toBe(2);
      for (const headers of [one, other]) expect((await post(worker.url, LIST, headers)).status).toBe(200);
    });

    it('notifies a session of changes that another of its requests makes', async () => {
      const client = await connect(worker.url, { revision: '2025-11-25' });
      expect(client.revision).toBe('2025-11-25');
      const changed = client.waitForNotification('notifications/tools/list_changed');
      await client.callTool('change');
      await changed;
      await client.close();
    });

    it('answers 404 for sessions that have ended, that another object serves, or that nobody has', async () => {
      const [one, other] = [await initialize(worker.url), await initialize(worker.url)];
      const [object = '', id = ''] = one['mcp-session-id'].split('.');
      const [second = ''] = other['mcp-session-id'].split('.');
      const forged = [`${second}.${id}`, `${object}.${'0'.repeat(id.length)}`, `${'0'.repeat(64)}.${id}`, id, 'x.y'];
      for (const name of forged) {
        const answer = await post(worker.url, LIST, { 'mcp-session-id': name });
        expect([name, answer.status, await answer.json()]).toEqual([
          name,
          404,
          expect.objectContaining({ jsonrpc: '2.0', error: expect.anything() as object }),
        ]);
      }
      expect((await fetch(worker.url, { method: 'DELETE', headers: one })).ok).toBe(true);
      expect((await post(worker.url, LIST, one)).status).toBe(404);
      expect((await post(worker.url, LIST, other)).status).toBe(200);
    });

    it('gives a client with an ended session a new one when it initializes', async () => {
      const one = await initialize(worker.url);
      await fetch(worker.url, { method: 'DELETE', headers: one });
      const answer = await post(worker.url, INITIALIZE, one);
      await answer.text();
      const headers = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
      expect(headers).not.toEqual(one);
      expect((await post(worker.url, LIST, headers)).status).toBe(200);
    });
  });

  it('goes on with sessions after the process was killed', async () => {
    const before = await open('killed');
    const session = await initialize(before.url);
    await before.close();
    const after = await open('killed');
    const answer = await post(after.url, LIST, session);
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([200, expect.stringContaining('"add"')]);
    const client = await connectSdk1(after.url, () => ({ action: 'accept', content: { name: 'Ada' } }));
    expect(JSON.stringify(await client.callTool('greet'))).toContain('Hello Ada');
    await client.close();
    await after.close();
  });

  it('says what is missing where no binding is there', async () => {
    const worker = await runWorkerd(await bundled());
    const answer = await post(worker.url, INITIALIZE);
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('"result"')]);
    await worker.close();
  });
});
