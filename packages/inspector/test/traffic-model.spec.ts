/** From messages to rows: every answer at its request, whatever comes between, and however many there are. */
interface Row {
  readonly key: string;
  readonly kind: string;
  readonly client: string;
  readonly revision: string;
  readonly method: string;
  readonly name: string;
  readonly status: string;
  readonly words: string;
  readonly rounds: number;
  readonly passed: readonly unknown[];
  readonly times: unknown;
}

interface Model {
  readonly rows: readonly Row[];
  readonly lost: number;
  readonly calls: ReadonlyMap<string, Row>;
  add(news: { entries: readonly object[]; lost: number }): void;
  addMark(mark: object): void;
  addTimes(times: object): void;
  statsOf(key: string): { calls: number; errors: number; median: number | undefined };
}

const { TrafficModel } = jest.requireActual<{ TrafficModel: new () => Model }>('../page/traffic-model.js');
const { changesBetween, diffLines } = jest.requireActual<{
  changesBetween(before: object, after: object): readonly object[];
  diffLines(before: string, after: string): readonly { sign: string; line: string }[];
}>('../page/diff.js');

class Wire {
  readonly model = new TrafficModel();
  private seq = 0;

  pass(from: string, message: object | string, more: object = {}): void {
    this.seq += 1;
    const text = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
    this.model.add({ entries: [{ seq: this.seq, at: this.seq, from, text, ...more }], lost: 0 });
  }

  get shown(): readonly (readonly string[])[] {
    return this.model.rows.map(({ method, name, status }) => [method, name, status].filter(Boolean));
  }
}

const call = (id: unknown, name = 'lend', more: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, ...more },
});

it('pairs requests of two sessions that use the same id', () => {
  const wire = new Wire();
  wire.pass('client', call(1, 'one'), { session: 1, client: 'a' });
  wire.pass('client', call(1, 'two'), { session: 2, client: 'b' });
  wire.pass('server', { id: 1, error: { code: -1, message: 'no' } }, { session: 2 });
  wire.pass('server', { id: 1, result: {} }, { session: 1 });
  expect(wire.shown).toEqual([
    ['tools/call', 'one', 'ok'],
    ['tools/call', 'two', 'error'],
  ]);
});

it('pairs requests without a session by their exchange, and knows client and revision from them', () => {
  const wire = new Wire();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'cursor', version: '1' },
  };
  wire.pass('client', call(1, 'one', { _meta }), { exchange: 7 });
  wire.pass('client', call(1, 'two', { _meta }), { exchange: 8 });
  wire.pass(
    'server',
    { id: 1, result: { isError: true, content: [{ type: 'text', text: 'full\nmore' }] } },
    { exchange: 8 },
  );
  expect(wire.model.rows).toMatchObject([
    { client: 'cursor', revision: '2026-07-28', status: 'pending' },
    { status: 'failed', words: 'full' },
  ]);
});

it('puts progress, logs and questions at the call that they belong to', () => {
  const wire = new Wire();
  const at = { session: 1, exchange: 3 };
  wire.pass('client', call(1, 'lend', { _meta: { progressToken: 'p' } }), at);
  wire.pass('server', { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } }, at);
  wire.pass('server', { method: 'notifications/message', params: { level: 'info', data: 'x' } }, at);
  wire.pass('server', { id: 'dev-1', method: 'elicitation/create', params: { message: 'Who?' } }, at);
  wire.pass('client', { id: 'dev-1', result: { action: 'accept' } }, { session: 1, exchange: 4 });
  wire.pass('server', { id: 1, result: {} }, at);
  expect(wire.shown).toEqual([
    ['tools/call', 'lend', 'ok'],
    ['elicitation/create', 'ok'],
  ]);
  expect(wire.model.rows[0]?.passed).toHaveLength(6);
});

it('shows the rounds of a call as one', () => {
  const wire = new Wire();
  wire.pass('client', call(1), { exchange: 1 });
  wire.pass('server', { id: 1, result: { resultType: 'input_required', requestState: 's' } }, { exchange: 1 });
  expect(wire.shown).toEqual([['tools/call', 'lend', 'asking']]);
  wire.pass('client', call(2, 'lend', { requestState: 's', inputResponses: {} }), { exchange: 2 });
  wire.pass('server', { id: 2, result: { content: [] } }, { exchange: 2 });
  expect(wire.model.rows).toMatchObject([{ status: 'ok', rounds: 2 }]);
});

it('shows refusals of HTTP, cancellations, and bodies that are no messages', () => {
  const wire = new Wire();
  wire.pass('client', call(1), { exchange: 1 });
  wire.pass('server', 'Unauthorized', { exchange: 1, head: { line: '401', headers: {} } });
  wire.pass('client', call(2), { session: 1 });
  wire.pass('client', { method: 'notifications/cancelled', params: { requestId: 2 } }, { session: 1 });
  wire.pass('client', '{"half', { exchange: 2 });
  expect(wire.shown).toEqual([
    ['tools/call', 'lend', 'error'],
    ['tools/call', 'lend', 'cancelled'],
    ['not a message', 'none'],
  ]);
});

it('finds the times of a request that come before or after its message', () => {
  const wire = new Wire();
  wire.model.addTimes({ exchange: 1, id: 1, method: 'tools/call', took: 3 });
  wire.pass('client', call(1), { exchange: 1 });
  wire.pass('client', call(1), { exchange: 2 });
  wire.model.addTimes({ exchange: 2, id: 1, method: 'tools/call', took: 4 });
  expect(wire.model.rows).toMatchObject([{ times: { took: 3 } }, { times: { took: 4 } }]);
});

it('loses none of a thousand messages a second for a minute in its counts, and keeps a window of them', () => {
  const wire = new Wire();
  for (let id = 1; id <= 30_000; id += 1) {
    wire.pass('client', call(id), { session: 1 });
    wire.pass('server', { id, result: {} }, { session: 1 });
  }
  expect(wire.model.statsOf('tools/call lend').calls).toBe(30_000);
  expect(wire.model.rows.length).toBeLessThanOrEqual(20_000);
  expect(wire.model.rows.at(-1)).toMatchObject({ status: 'ok' });
});

it('says what a version has changed in the lists', () => {
  const lists = (tools: object[]) => ({ tools, resources: [], templates: [], prompts: [] });
  const before = lists([{ name: 'a', description: 'x' }, { name: 'b' }]);
  const after = lists([{ name: 'a', description: 'y' }, { name: 'c' }]);
  expect(changesBetween(before, after)).toEqual([
    { sign: '+', name: 'c', words: '' },
    { sign: '-', name: 'b', words: '' },
    { sign: '~', name: 'a', words: 'description' },
  ]);
});

it('compares two texts line by line', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc').map(({ sign, line }) => sign + line)).toEqual([' a', '-b', '+x', ' c']);
});
