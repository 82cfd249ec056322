/** Requests and responses of the web: bodies that stop, doubled headers, and streams that are read slowly. */
import { createServer } from '@sigil-mcp/core';
import { createFetchHandler, type FetchHandler } from '@sigil-mcp/http/fetch';
import { ManualClock } from '@sigil-mcp/testing';
import { turn } from '../../../test/support/turn';
import { until } from '../../../test/support/until';
import { WebRequest } from '../src/fetch/web-request';
import { webResponse } from '../src/fetch/web-response';
import type { EventWriter } from '../src/port';

const KIBIBYTE = 1024;
const ping = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const HEADERS: [string, string][] = [
  ['accept', 'application/json, text/event-stream'],
  ['mcp-protocol-version', '2026-07-28'],
  ['mcp-method', 'server/discover'],
];

const clock = new ManualClock();
let handle: FetchHandler;
beforeEach(() => {
  handle = createFetchHandler(createServer({ name: 's', version: '1', clock, logger: false }));
});
afterEach(() => handle.close());

function post(
  body: string | ReadableStream,
  headers: [string, string][] = [['content-type', 'application/json']],
  more = {},
): Request {
  const init: RequestInit = {
    method: 'POST',
    body,
    headers: new Headers([...HEADERS, ...headers]),
    duplex: 'half',
    ...more,
  };
  return new Request('http://127.0.0.1/mcp', init);
}

/** What a client gets as an error: the status, and the words. */
async function refusal(answer: Promise<Response>): Promise<readonly [number, string]> {
  const response = await answer;
  const { error } = (await response.json()) as { error: { message: string } };
  return [response.status, error.message];
}

/** A body that begins, and waits. */
const stuck = (cancel: () => void = () => undefined): ReadableStream =>
  new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(ping.slice(0, 20))), cancel });

describe('a request of the web', () => {
  it('is answered', async () => {
    const response = await handle(post(ping));
    expect([response.status, await response.json()]).toMatchObject([200, { id: 1, result: {} }]);
  });

  it('is refused when its body does not go on for half a minute', async () => {
    let cancelled = false;
    await handle.ready;
    const before = clock.pending;
    const answer = refusal(handle(post(stuck(() => (cancelled = true)))));
    await until(() => clock.pending > before);
    await clock.advance(30_000);
    expect(await answer).toEqual([408, 'The body did not arrive within 30 seconds.']);
    expect([clock.pending, cancelled]).toEqual([before, true]);
  });

  it('is answered at once when its client goes before its body has come', async () => {
    const gone = new AbortController();
    await handle.ready;
    const before = clock.pending;
    const answer = refusal(handle(post(stuck(), undefined, { signal: gone.signal })));
    await until(() => clock.pending > before);
    gone.abort();
    expect((await answer)[0]).toBe(400);
    expect(clock.pending).toBe(before);
  });

  it('is told what is wrong with a body of texts, and with one that was read before', async () => {
    const texts = new ReadableStream({
      start: (controller) => {
        controller.enqueue(ping);
        controller.close();
      },
    });
    expect(await refusal(handle(post(texts)))).toEqual([400, 'The body of the request is not made of bytes.']);
    const read = post(ping);
    await read.text();
    const locked = post(ping);
    locked.body?.getReader();
    for (const used of [read, locked])
      expect(await refusal(handle(used))).toEqual([500, 'The body was read before the handler.']);
  });

  it('has its type once', async () => {
    const twice: [string, string][] = [
      ['content-type', 'application/json'],
      ['content-type', 'text/plain'],
    ];
    expect(await refusal(handle(post(ping, twice)))).toEqual([400, 'The Content-Type header came more than once.']);
  });
});

describe('a response of the web', () => {
  const request = (): WebRequest =>
    new WebRequest(
      new Request('http://127.0.0.1/mcp'),
      () => undefined,
      () => clock,
    );

  it('varies by all that it is said to vary by', () => {
    const response = webResponse(request(), { status: 200, headers: { vary: 'Accept' } }, { vary: 'Origin' });
    expect(response.headers.get('vary')).toBe('Accept, Origin');
  });

  it('has room again once less than 64 KiB wait to be read', async () => {
    let writer: EventWriter | undefined;
    const { body } = webResponse(
      request(),
      {
        status: 200,
        headers: {},
        body: { whole: undefined, open: (given) => void (writer = given), discard: () => undefined },
      },
      {},
    );
    let drained = 0;
    writer?.onDrain(() => (drained += 1));
    expect(writer?.write('x'.repeat(200 * KIBIBYTE))).toBe(false);
    const reader = body!.getReader();
    const seen: number[] = [];
    for (let pieces = 0; pieces < 4; pieces += 1) {
      await reader.read();
      await turn();
      seen.push(drained);
    }
    expect(seen).toEqual([0, 0, 1, 2]);
    await reader.cancel();
  });
});
