/** Questions to a client that somebody else may answer: whoever answers first has answered, and the others are told. */
import fc from 'fast-check';
import type { RequestShape } from '../src/dev/message-shape';
import {
  ANSWERED_ELSEWHERE,
  QuestionIds,
  QuestionRounds,
  type AnswerInPlace,
  type HeldQuestion,
} from '../src/dev/questions';

const read = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
const YES = { result: { action: 'accept', content: { name: 'the page' } } };

/** Notes what is asked, and what does not wait any more. */
class Watch {
  readonly open = new Set<HeldQuestion>();
  readonly all: HeldQuestion[] = [];
  asked(question: HeldQuestion): () => void {
    this.open.add(question);
    this.all.push(question);
    return () => void this.open.delete(question);
  }
}

describe('in a session', () => {
  const question: RequestShape = { id: 7, method: 'elicitation/create', params: { message: 'Who?' } };
  class Session {
    readonly watch = new Watch();
    readonly replies: unknown[] = [];
    readonly told: unknown[] = [];
    readonly ids = new QuestionIds({
      watcher: this.watch,
      client: () => 'ada',
      reply: (text) => this.replies.push(read(text)),
      tell: (text) => this.told.push(read(text)),
    });
    readonly sent = read(this.ids.rename(question)) as RequestShape;
    fromClient(): unknown {
      return read(this.ids.restore({ id: this.sent.id, result: { action: 'decline' } }));
    }
    fromPage(answer: AnswerInPlace = YES): boolean {
      return this.watch.all[0]?.answer(answer) ?? false;
    }
    withdraw(): void {
      this.ids.rename({ method: 'notifications/cancelled', params: { requestId: 7 } });
    }
  }

  it('the page answers under the id of the server, and the client is told to stop', () => {
    const session = new Session();
    expect(session.watch.all).toMatchObject([
      { method: 'elicitation/create', params: { message: 'Who?' }, client: 'ada' },
    ]);
    expect(session.fromPage()).toBe(true);
    expect(session.replies).toEqual([{ jsonrpc: '2.0', id: 7, ...YES }]);
    expect(session.told).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: session.sent.id, reason: ANSWERED_ELSEWHERE } },
    ]);
    expect(session.fromClient()).toBeUndefined();
  });

  it('a refusal is an error of the client', () => {
    const session = new Session();
    expect(session.fromPage({ refused: 'no' })).toBe(true);
    expect(session.replies).toMatchObject([{ id: 7, error: { message: 'no' } }]);
  });

  it('exactly one answer counts, in whatever order the client, the page and the server come', () => {
    const acts = fc.shuffledSubarray(['client', 'page', 'page', 'server', 'restart'] as const, { minLength: 1 });
    fc.assert(
      fc.property(acts, (order) => {
        const session = new Session();
        const answers = order.map((act) => {
          if (act === 'client') return session.fromClient() !== undefined;
          if (act === 'page') return session.fromPage();
          if (act === 'server') session.withdraw();
          else session.ids.forget();
          return false;
        });
        const first = order[0];
        expect(answers.filter(Boolean)).toHaveLength(first === 'client' || first === 'page' ? 1 : 0);
        expect(session.replies).toHaveLength(first === 'page' ? 1 : 0);
        expect(session.told).toHaveLength(first === 'page' ? 1 : 0);
        expect(session.watch.open.size).toBe(0);
      }),
    );
  });
});

describe('in rounds', () => {
  const META = { 'io.modelcontextprotocol/clientInfo': { name: 'ada', version: '1' }, progressToken: 1 };
  const call = (id: number, more: object = {}): RequestShape => ({
    ...{ id, method: 'tools/call' },
    params: { name: 'lend', arguments: { title: 'Emma' }, _meta: META, ...more },
  });
  const asks = (id: number, state: string, keys: readonly string[] = ['who']) => ({
    id,
    result: {
      resultType: 'input_required',
      requestState: state,
      inputRequests: Object.fromEntries(
        keys.map((key) => [key, { method: 'elicitation/create', params: { message: key } }]),
      ),
    },
  });
  class Calls {
    readonly watch = new Watch();
    readonly rounds = new QuestionRounds(this.watch);
    readonly sent: RequestShape[] = [];
    private release = (_text: string): void => undefined;
    private fail = (_error: Error): void => undefined;
    readonly send = (round: RequestShape): Promise<string> => {
      this.sent.push(round);
      return new Promise((resolve, reject) => ([this.release, this.fail] = [resolve, reject]));
    };
    hears(answer: object, request = call(1)): void {
      this.rounds.hear(request, answer, this.send);
    }
    ends(result: object): void {
      this.release(JSON.stringify({ jsonrpc: '2.0', id: 'x', result }));
    }
    breaks(): void {
      this.fail(new Error('gone'));
    }
  }

  it('the page sends the next round, and that of the client receives what came of it', async () => {
    const calls = new Calls();
    calls.hears(asks(1, 's'));
    expect(calls.watch.all).toMatchObject([{ method: 'elicitation/create', client: 'ada', entry: 'lend' }]);
    expect(calls.watch.all[0]?.answer(YES)).toBe(true);
    expect(calls.sent).toMatchObject([
      { method: 'tools/call', params: { name: 'lend', requestState: 's', inputResponses: { who: YES.result } } },
    ]);
    expect(JSON.stringify(calls.sent)).not.toContain('progressToken');
    const round = calls.rounds.take(call(2, { requestState: 's', inputResponses: {} }));
    calls.ends({ content: [] });
    expect(read(await round)).toEqual({ jsonrpc: '2.0', id: 2, result: { content: [] } });
    expect(calls.watch.open.size).toBe(0);
  });

  it('the round of the client goes to the server, if it comes first', () => {
    const calls = new Calls();
    calls.hears(asks(1, 's'));
    expect(calls.rounds.take(call(2, { requestState: 's' }))).toBeUndefined();
    expect(calls.watch.open.size).toBe(0);
    expect(calls.watch.all[0]?.answer(YES)).toBe(false);
    expect(calls.sent).toEqual([]);
  });

  it('several questions are one round, with all their answers', () => {
    const calls = new Calls();
    calls.hears(asks(1, 's', ['who', 'when']));
    expect(calls.watch.all[1]?.answer({ refused: 'no' })).toBe(true);
    expect([calls.watch.open.size, calls.sent.length]).toEqual([1, 0]);
    expect(calls.watch.all[1]?.answer(YES)).toBe(false);
    calls.watch.all[0]?.answer(YES);
    expect(calls.sent).toMatchObject([{ params: { inputResponses: { who: YES.result, when: { action: 'cancel' } } } }]);
  });

  it('the client is told in its round that the server has ended', async () => {
    const calls = new Calls();
    calls.hears(asks(1, 's'));
    calls.watch.all[0]?.answer(YES);
    const round = calls.rounds.take(call(2, { requestState: 's' }));
    calls.breaks();
    expect(read(await round)).toMatchObject({ id: 2, error: { message: expect.any(String) } });
  });

  it('an answer without questions, or without a state, is nothing to answer', () => {
    const calls = new Calls();
    calls.hears({ id: 1, result: { content: [] } });
    calls.hears({ id: 1, result: { resultType: 'input_required', inputRequests: { a: {} } } });
    calls.hears(asks(1, 's', []));
    expect(calls.watch.all).toEqual([]);
  });
});
