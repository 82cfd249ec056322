/** What a server does the same on every platform that calls it with a `Request`: real clients talk to it over HTTP. */
import { eachRevision } from '@sigil-mcp/testing';
import { connectClient2 } from '../e2e/official-client-2';
import { connectSdk1 } from '../e2e/official-sdk-1';
import type { Asked } from '../e2e/official-client';
import { until } from '../../support/until';

/** A platform that runs the server of `fixtures/sums.ts`. */
export interface OpenPlatform {
  /** The URL of the endpoint. */
  readonly url: string;
  close(): Promise<void> | void;
}

/** What a platform cannot do. */
export interface PlatformLimits {
  /** Whether sessions of the revisions with a handshake are stored; true if left out. */
  readonly hasSessions?: boolean;
  /** Whether responses are sent piece by piece; true if left out. */
  readonly streams?: boolean;
  /** Whether the platform tells of clients that have gone; true if left out. */
  readonly seesAborts?: boolean;
  /** The folder of every path that clients know; none if left out. */
  readonly folder?: string;
}

const PER_REQUEST = '2026-07-28';
const accept = (): object => ({ action: 'accept', content: { name: 'Ada' } });
const textOf = (result: object): unknown => (result as { content?: { text?: string }[] }).content?.[0]?.text;

/** Declares the tests. */
export function describePlatform(
  open: () => Promise<OpenPlatform> | OpenPlatform,
  { hasSessions = true, streams = true, seesAborts = true, folder = '' }: PlatformLimits = {},
): void {
  let platform: OpenPlatform;
  beforeAll(async () => void (platform = await open()));
  afterAll(() => platform?.close());

  eachRevision('calls a tool, and names what is wrong with arguments', async ({ connect, revision }) => {
    const client = await connect(platform.url);
    expect(client.revision).toBe(revision);
    expect(textOf(await client.callTool('add', { one: 1, other: 2 }))).toBe('{"sum":3}');
    const refused = await client.callTool('add', { one: 1, other: -2 }).catch(String);
    expect(JSON.stringify(refused)).toContain('other');
  });

  it('tells clients of no error that is not meant for them', async () => {
    const client = await connectClient2(platform.url, { pin: PER_REQUEST });
    expect(JSON.stringify(await client.callTool('fail').catch(String))).not.toContain('secret');
    await client.close();
  });

  it('is understood by both official clients', async () => {
    for (const client of [await connectClient2(platform.url, { pin: PER_REQUEST }), await connectSdk1(platform.url)]) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('add');
      expect(await client.callTool('add', { one: 20, other: 3 })).toMatchObject({ structuredContent: { sum: 23 } });
      await client.close();
    }
  });

  it('asks the user on 2026-07-28, without a session', async () => {
    const asked: Asked[] = [];
    const client = await connectClient2(
      platform.url,
      { pin: PER_REQUEST },
      (question) => (asked.push(question), accept()),
    );
    expect(client.revision).toBe(PER_REQUEST);
    expect(textOf(await client.callTool('greet'))).toBe('Hello Ada');
    expect(asked.map(({ method }) => method)).toEqual(['elicitation/create']);
    await client.close();
  });

  if (hasSessions)
    it('asks the user within a session', async () => {
      const client = await connectSdk1(platform.url, accept);
      expect(textOf(await client.callTool('greet'))).toBe('Hello Ada');
      await client.close();
    });

  it('answers many requests at the same time', async () => {
    const client = await connectClient2(platform.url, { pin: PER_REQUEST });
    const sums = await Promise.all(Array.from({ length: 40 }, (_, one) => client.callTool('add', { one, other: 1 })));
    expect(sums.map((sum) => textOf(sum))).toEqual(Array.from({ length: 40 }, (_, one) => `{"sum":${one + 1}}`));
    await client.close();
  });

  if (streams)
    it('sends progress while the call runs', async () => {
      const client = await connectClient2(platform.url, { pin: PER_REQUEST });
      const other = await connectClient2(platform.url, { pin: PER_REQUEST });
      const progressed = new Promise<void>((resolve) => {
        void client.callTool('report', {}, { onprogress: () => resolve() }).then((result) => (answer = result));
      });
      let answer: object | undefined;
      await progressed;
      expect(answer).toBeUndefined();
      await other.callTool('proceed');
      await until(() => answer !== undefined);
      expect(textOf(answer!)).toBe('proceeded');
      await Promise.all([client.close(), other.close()]);
    });

  if (streams && seesAborts)
    it('cancels a call whose client has gone', async () => {
      const client = await connectClient2(platform.url, { pin: PER_REQUEST });
      const before = Number(textOf(await client.callTool('gone')));
      const gone = new AbortController();
      await client.callTool('wait', {}, { onprogress: () => gone.abort(), signal: gone.signal }).catch(() => undefined);
      await until(async () => Number(textOf(await client.callTool('gone'))) === before + 1);
      await client.close();
    });

  if (streams)
    it('notifies subscribers on 2026-07-28 of a change that another request makes', async () => {
      const [client, other] = [
        await connectClient2(platform.url, { pin: PER_REQUEST }),
        await connectClient2(platform.url, { pin: PER_REQUEST }),
      ];
      const leave = await client.watch('sums://none');
      await other.callTool('change');
      await until(() => client.heard.includes('notifications/tools/list_changed'));
      await leave();
      await Promise.all([client.close(), other.close()]);
    });

  it('refuses what is not for it', async () => {
    const origin = new URL(platform.url).origin + folder;
    const statuses = await Promise.all([
      fetch(`${origin}/elsewhere`).then(({ status }) => status),
      fetch(platform.url, { method: 'PUT' }).then(({ status }) => status),
      fetch(platform.url, { method: 'POST', headers: { ...HEADERS, accept: 'text/html' }, body: '{}' }).then(
        ({ status }) => status,
      ),
      fetch(platform.url, { method: 'POST', headers: HEADERS, body: '{' }).then(({ status }) => status),
      fetch(`${origin}/healthz`).then(({ status }) => status),
    ]);
    expect(statuses).toEqual([404, 405, 406, 400, 200]);
  });
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
