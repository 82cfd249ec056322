/** Cancellations that come before what they cancel, at another instance than the one that runs it. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { ManualClock } from '@sigil-mcp/testing';
import { request, type OpenServer } from '../../../test/behaviour/http/http-server';
import { until } from '../../../test/behaviour/http/raw-request';
import { initialize, serveTwice, type Instances } from '../../../test/behaviour/http/two-instances';
import { revisionsOf } from '../../../test/support/each-revision';
import { EarlyCancellations } from '../src/sessions/session-messages';

@Feature()
class Desk {
  static reasons: string[] = [];
  static began = 0;
  static letOn: (() => void)[] = [];

  @Tool('Waits')
  async wait({ signal }: McpContext): Promise<string> {
    Desk.began++;
    await new Promise<void>((resolve) => {
      Desk.letOn.push(resolve);
      signal.addEventListener('abort', () => {
        Desk.reasons.push((signal.reason as Error).message);
        resolve();
      });
    });
    return 'done';
  }
}

const ENOUGH = 'The client cancelled the request: enough.';
let both: Instances;
let clock: ManualClock;
beforeEach(async () => {
  Object.assign(Desk, { reasons: [], began: 0, letOn: [] });
  clock = new ManualClock();
  both = await serveTwice({ features: [Desk], clock });
});
afterEach(async () => {
  for (const letOn of Desk.letOn) letOn();
  await both.close();
});

const cancel = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'enough' },
});
const wait = (id: number): object => request(id, 'tools/call', { name: 'wait' });

/** Sends a message with a call, and answers when it is answered. Its instance learns 25 ms later what others have received before. */
async function answerOf(open: OpenServer, body: object, session: Record<string, string>) {
  const { began } = Desk;
  const answer = open.post(body, session);
  await until(() => Desk.began > began);
  await clock.advance(25);
  return answer;
}

describe.each(revisionsOf({ since: '2025-03-26', until: '2025-11-25' }))('in a session of %s', (version) => {
  it('a call is cancelled by what came before it: elsewhere, and where its session was not known yet', async () => {
    const session = await initialize(both.a, version);
    expect((await both.a.post(cancel(1), session)).status).toBe(202);
    expect((await answerOf(both.b, wait(1), session)).status).toBe(202);
    expect((await both.a.post(cancel(2), session)).status).toBe(202);
    expect((await answerOf(both.b, wait(2), session)).status).toBe(202);
    expect((await both.a.post(cancel(3), session)).status).toBe(202);
    expect((await answerOf(both.a, wait(3), session)).status).toBe(202);
    expect(Desk.reasons).toEqual(Array(3).fill(ENOUGH));
  });

  it('no call is cancelled twice, nor long after, nor by the session of another client', async () => {
    const [session, other] = [await initialize(both.a, version), await initialize(both.a, version)];
    await both.a.post(cancel(1), session);
    expect((await answerOf(both.b, wait(1), session)).status).toBe(202);
    await both.a.post(cancel(2), session);
    await clock.advance(10_000);
    await both.a.post(cancel(3), session);
    const calls = [both.b.post(wait(1), session), both.b.post(wait(2), session), both.b.post(wait(3), other)];
    await until(() => Desk.began === 4);
    await clock.advance(25);
    for (const letOn of Desk.letOn) letOn();
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  });
});

it('the requests of a batch are cancelled by what came before them', async () => {
  const session = await initialize(both.a, '2025-03-26');
  await both.a.post(cancel(1), session);
  expect((await answerOf(both.b, [wait(1), request(2, 'ping')], session)).messages).toMatchObject([{ id: 2 }]);
  expect(Desk.reasons).toEqual([ENOUGH]);
});

describe('what is remembered', () => {
  const cancellation = { kind: 'notification', method: 'notifications/cancelled', params: {} } as const;

  it('is few of each session, the newest of them, and each id as it is written', () => {
    const early = new EarlyCancellations(new ManualClock());
    for (let id = 0; id < 20; id++) early.add('session', id, cancellation);
    const found = Array.from({ length: 20 }, (_, id) => early.take('session', id) !== undefined);
    expect(found).toEqual(Array.from({ length: 20 }, (_, id) => id >= 4));
    early.add('session', 1, cancellation);
    expect([early.take('session', '1'), early.take('other', 1)]).toEqual([undefined, undefined]);
  });

  it('has an end, in number and in time', async () => {
    const clock = new ManualClock();
    const early = new EarlyCancellations(clock);
    for (let session = 0; session < 3000; session++) early.add(`session ${session}`, 1, cancellation);
    expect(early.size).toBe(1000);
    expect([early.take('session 0', 1), early.take('session 2999', 1)]).toEqual([undefined, cancellation]);
    await clock.advance(10_000);
    early.add('one more', 1, cancellation);
    expect(early.size).toBe(1);
    await clock.advance(1999);
    early.add('another', 1, cancellation);
    expect(early.take('one more', 1)).toBe(cancellation);
    await clock.advance(2000);
    expect(early.take('another', 1)).toBeUndefined();
  });
});
