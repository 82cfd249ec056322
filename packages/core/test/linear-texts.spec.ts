/** Texts of clients that are compared with many others: the work grows with the number of texts, and is counted. */
import { ResourceSubscriptions } from '../src/conversations/resource-subscriptions';
import { completeValues } from '../src/members/complete-values';

describe('the subscriptions of a session that moves', () => {
  const uris = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, id) => `${prefix}:${id}`);

  /** How often the texts of the other process are read while those of this one are replaced. */
  function readsOf(count: number): number {
    let reads = 0;
    const here = new ResourceSubscriptions();
    here.replace({ subscribed: uris('here', count) }, () => () => undefined);
    const there = new Proxy(uris('there', count), {
      get(target, name, receiver): unknown {
        reads += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    here.replace({ subscribed: there }, () => () => undefined);
    expect(here.uris).toHaveLength(count);
    return reads;
  }

  it('are each compared once, however many there were', () => {
    expect(readsOf(2000)).toBeLessThanOrEqual(2.2 * readsOf(1000));
  });

  it('are those of the other process: what is new is counted, what is gone gives its room back, and the rest stays', () => {
    const counted: string[] = [];
    const adopt = (uri: string) => {
      counted.push(`+${uri}`);
      return () => void counted.push(`-${uri}`);
    };
    const all = new ResourceSubscriptions();
    all.replace({ subscribed: ['a', 'b'] }, adopt);
    all.replace({ subscribed: ['b', 'c'] }, adopt);
    expect(counted).toEqual(['+a', '+b', '-a', '+c']);
    expect(all.uris).toEqual(['b', 'c']);
  });
});

describe('completions of listed values', () => {
  afterEach(() => jest.restoreAllMocks());

  /** What is done with texts while so many values are compared with what was typed. */
  function stepsOf(count: number, typed: string): { readonly folded: number; readonly compared: number } {
    const values = Array.from({ length: count }, (_, id) => `Value ${id}`);
    const [completer] = completeValues([], { type: 'object', properties: { value: { enum: values } } });
    const fold = jest.spyOn(String.prototype, 'toLowerCase');
    const compare = jest.spyOn(String.prototype, 'startsWith');
    if (completer && 'run' in completer.handler) completer.handler.run(typed);
    const steps = { folded: fold.mock.calls.length, compared: compare.mock.calls.length };
    jest.restoreAllMocks();
    return steps;
  }

  it.each(['', 'VALUE 1', 'x'.repeat(100_000)])(
    'fold what was typed once, and compare it once with each: %.10s',
    (typed) => {
      expect(stepsOf(1000, typed)).toEqual({ folded: 1, compared: 1000 });
    },
  );
});
