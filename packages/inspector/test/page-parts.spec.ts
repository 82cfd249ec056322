/** Parts of the page without a browser: where time went, rounds, rules for questions, and values that it never received. */
interface Stage {
  readonly name: string;
  readonly own: number;
  readonly pieces: readonly { readonly from: number; readonly to: number }[];
}
const { stagesOf, summaryOf } = jest.requireActual<{
  stagesOf(times: object): Stage[];
  summaryOf(stages: Stage[]): string;
}>('../page/waterfall.js');
const { answerByRules, noRules } = jest.requireActual<{
  noRules(): Record<string, { does: string; values: string; isForAll: boolean }>;
  answerByRules(rules: object, question: object): unknown;
}>('../page/question-rules.js');
const { hiddenIn, withTyped } = jest.requireActual<{
  hiddenIn(value: unknown): string[][];
  withTyped(value: unknown, typed: object): unknown;
}>('../page/hidden-values.js');
const { roundsOf } = jest.requireActual<{ roundsOf(row: object): object[] }>('../page/rounds.js');

describe('the waterfall', () => {
  const times = {
    ...{ took: 20, opened: 1, questions: [], steps: [] },
    guards: [{ name: 'Everybody', verdict: 'allows', at: 3 }],
    stages: [
      { name: 'interceptor All', at: 2, to: 20 },
      { name: 'arguments', at: 4, to: 18 },
      { name: 'output', at: 5, to: 18 },
      { name: 'interceptor Trace', at: 5, to: 16 },
      { name: 'handler', at: 6, to: 15 },
    ],
  };

  it('tells guards, interceptors, validation, handler and output apart, and each millisecond is in one of them', () => {
    const stages = stagesOf(times);
    expect(Object.fromEntries(stages.map(({ name, own }) => [name, own]))).toEqual({
      ...{ found: 1, 'interceptor All': 3, 'guard Everybody': 1, validate: 1 },
      ...{ 'interceptor Trace': 2, handler: 9, output: 2, rest: 1 },
    });
    expect(stages.map(({ name }) => name).slice(-2)).toEqual(['handler', 'output']);
    expect(summaryOf(stages)).toBe('guards 1.0 | interceptors 5.0 | validate 1.0 | handler 9.0 | output 2.0');
  });

  it('takes the wait for an answer out of the handler', () => {
    const questions = [{ method: 'elicitation/create', at: 8, took: 5 }];
    const own = Object.fromEntries(stagesOf({ ...times, questions }).map((stage) => [stage.name, stage.own]));
    expect(own).toMatchObject({ handler: 4, 'elicitation/create': 5 });
  });

  it('shows what is known of a request that was refused, and of a version that reports no stages', () => {
    const refused = { took: 2, opened: undefined, guards: [], questions: [] };
    expect(stagesOf(refused).map(({ name, own }) => [name, own])).toEqual([['found', 2]]);
    const older = { took: 5, opened: 1, guards: times.guards, questions: [] };
    expect(stagesOf(older).map(({ name, own }) => [name, own])).toEqual([
      ['found', 1],
      ['guard Everybody', 2],
      ['arguments, handler, output', 2],
    ]);
  });
});

describe('rules for questions', () => {
  const schema = { type: 'object', properties: { name: { type: 'string', default: 'Ada' }, age: { type: 'number' } } };
  const form = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: schema } };
  const rulesWith = (kind: string, more: object) => {
    const rules = noRules();
    Object.assign(rules[kind] ?? {}, more);
    return rules;
  };

  it('answer nothing at first, and nothing for other clients unless they are to', () => {
    expect(answerByRules(noRules(), form)).toBeUndefined();
    const rules = rulesWith('form', { does: 'decline' });
    expect(answerByRules(rules, { ...form, client: 'ada' })).toBeUndefined();
    const all = rulesWith('form', { does: 'decline', isForAll: true });
    expect(answerByRules(all, { ...form, client: 'ada' })).toEqual({ answer: { action: 'decline' } });
  });

  it('accept forms with their defaults and with given values, and answer nothing with what is no JSON', () => {
    const rules = rulesWith('form', { does: 'accept', values: '{ "age": 5 }' });
    expect(answerByRules(rules, form)).toEqual({ answer: { action: 'accept', content: { name: 'Ada', age: 5 } } });
    expect(answerByRules(rulesWith('form', { does: 'accept', values: '{' }), form)).toBeUndefined();
  });

  it('answer pages, models and folders', () => {
    const page = { method: 'elicitation/create', params: { mode: 'url', message: 'x', url: 'https://x' } };
    expect(answerByRules(rulesWith('url', { does: 'accept' }), page)).toEqual({ answer: { action: 'accept' } });
    expect(answerByRules(rulesWith('url', { does: 'cancel' }), page)).toEqual({ answer: { action: 'cancel' } });
    const sampling = { method: 'sampling/createMessage', params: {} };
    expect(answerByRules(rulesWith('sampling', { does: 'accept', values: 'blue' }), sampling)).toMatchObject({
      answer: { content: { type: 'text', text: 'blue' } },
    });
    expect(answerByRules(rulesWith('sampling', { does: 'refuse' }), sampling)).toEqual({ refused: true });
    const roots = { method: 'roots/list', params: {} };
    expect(answerByRules(rulesWith('roots', { does: 'accept' }), roots)).toEqual({
      answer: [{ uri: 'file:///project' }],
    });
  });
});

it('finds hidden values in parameters, and puts typed ones in their places', () => {
  const params = { name: 'pay', arguments: { pin: '[sensitive]', cards: [{ number: '[sensitive]', owner: 'Ada' }] } };
  expect(hiddenIn(params)).toEqual([
    ['arguments', 'pin'],
    ['arguments', 'cards', '0', 'number'],
  ]);
  expect(withTyped(params, { 'arguments.pin': '1234', 'arguments.cards.0.number': '42' })).toEqual({
    name: 'pay',
    arguments: { pin: '1234', cards: [{ number: '42', owner: 'Ada' }] },
  });
});

it('marks what a handler has done again, and what once has kept', () => {
  const log = { message: { method: 'notifications/message', params: { data: 'looks' } } };
  const row = {
    runs: [
      { key: 'a', times: { steps: [{ key: 'reserve', isKept: false }] }, first: 0 },
      { key: 'b', times: { steps: [{ key: 'reserve', isKept: true }] }, first: 3 },
    ],
    passed: [
      { from: 'client', message: { method: 'tools/call', id: 1 } },
      log,
      {
        from: 'server',
        message: {
          id: 1,
          result: { inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } } },
        },
      },
      {
        from: 'client',
        isInPlace: true,
        message: { method: 'tools/call', id: 2, params: { inputResponses: { who: { action: 'accept' } } } },
      },
      log,
      { from: 'server', message: { id: 2, result: {} } },
    ],
  };
  expect(roundsOf(row)).toEqual([
    {
      ...{ number: 1, steps: [{ key: 'reserve', isKept: false }], effects: [{ words: 'log looks', isAgain: false }] },
      questions: [{ words: 'Who?', answer: '{"action":"accept"}', isInPlace: true }],
    },
    {
      ...{ number: 2, steps: [{ key: 'reserve', isKept: true }], effects: [{ words: 'log looks', isAgain: true }] },
      questions: [],
    },
  ]);
});
