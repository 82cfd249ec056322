/** What a page receives of values that are marked as sensitive: nothing, wherever they stand and whatever is sent in their place. */
import 'reflect-metadata';
import { inputShape, RecordOf, Sensitive, AnyOf } from '@sigil-mcp/schema';
import { ManualClock } from '@sigil-mcp/testing';
import { Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import type { ReportedEntry } from '@sigil-mcp/cli/kit/dev';
import { ServedVersions } from '../src/served-versions';
import { TrafficMask } from '../src/traffic-mask';
import { TrafficRecord } from '../src/traffic-record';

class Card {
  @IsString() owner!: string;
  @Sensitive() @IsString() number!: string;
}
class Cash {
  @IsString() currency!: string;
}
class Payment {
  @Sensitive() @IsOptional() @IsString() pin?: string;
  @IsOptional() @ValidateNested() @Type(() => Card) card?: Card;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Card) others?: Card[];
  @IsOptional() @RecordOf(() => Card) byName?: Record<string, Card>;
  @IsOptional() @AnyOf(() => [Cash, Card]) with?: Cash | Card;
  @IsOptional() @IsString() note?: string;
}
const shape = inputShape(Payment);
const known = { schema: shape.schema, sensitive: shape.sensitive ?? [] };
const ENTRIES: readonly ReportedEntry[] = [
  { kind: 'tool', key: 'pay', members: {}, input: known, output: known },
  { kind: 'prompt', key: 'thank', members: {}, input: known, output: undefined },
  {
    ...{ kind: 'resource-template', key: 'bank://{pin}/{page}{?number}', members: {}, output: undefined },
    input: { schema: { type: 'object' }, sensitive: [['pin'], ['number']] },
  },
  { kind: 'tool', key: 'plain', members: {}, input: undefined, output: undefined },
];

/** A record of one version, which says what it offers when it is told to. */
class Recorded {
  readonly versions = new ServedVersions();
  readonly record = new TrafficRecord(new ManualClock(), undefined, {
    versions: this.versions,
    mask: new TrafficMask(),
  });
  readonly #child;
  readonly asked: string[] = [];

  constructor(entries: readonly ReportedEntry[] | 'later' = ENTRIES) {
    this.#child = this.versions.attach((line) => this.asked.push(line));
    if (entries !== 'later') this.knows(entries);
    this.versions.serve();
  }

  knows(entries: readonly ReportedEntry[]): void {
    this.#child.take(JSON.stringify({ entries }));
  }

  ends(): void {
    this.#child.end();
  }

  pass(from: 'client' | 'server', message: object): void {
    this.record.note({ from, text: JSON.stringify({ jsonrpc: '2.0', ...message }), session: undefined });
  }

  call(args: unknown, name = 'pay'): void {
    this.pass('client', { id: 1, method: 'tools/call', params: { name, arguments: args } });
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- messages of this file
  get shown(): any[] {
    return this.record.after(0, Infinity).entries.map(({ text }) => JSON.parse(text) as unknown);
  }
}

const CARD = { owner: 'Ada', number: '4242-4242' };
const HIDDEN = { owner: 'Ada', number: '[sensitive]' };

it('hides marked values in the arguments, in the result, and in the text that repeats it', () => {
  const recorded = new Recorded();
  recorded.call({ card: CARD, others: [CARD], byName: { work: CARD }, with: CARD, note: 'paid' });
  const structuredContent = { card: { owner: 'Bob', number: '12' } };
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
  recorded.pass('server', { id: 1, result: { content, structuredContent } });
  const [request, answer] = recorded.shown;
  expect(request.params.arguments).toEqual({
    ...{ card: HIDDEN, others: [HIDDEN], byName: { work: HIDDEN }, with: HIDDEN, note: 'paid' },
  });
  const shown = { card: { owner: 'Bob', number: '[sensitive]' } };
  expect(answer.result).toEqual({ content: [{ type: 'text', text: JSON.stringify(shown) }], structuredContent: shown });
});

it('hides the same text in logs, errors, questions, headers, other calls and in what a handler threw', () => {
  const recorded = new Recorded();
  recorded.call({ pin: 'one "secret"' });
  recorded.pass('server', {
    method: 'notifications/message',
    params: { level: 'info', data: { used: 'one "secret"' } },
  });
  recorded.pass('server', { id: 1, error: { code: -32602, message: 'The pin one "secret" is wrong' } });
  recorded.pass('client', {
    id: 2,
    method: 'tools/call',
    params: { name: 'plain', arguments: { x: '["one \\"secret\\""]' } },
  });
  const headers = { 'mcp-param-pin': 'b25l', 'x-other': 'one "secret"' };
  recorded.record.note({ from: 'client', text: '{}', session: undefined, head: { line: 'POST /mcp', headers } });
  expect(JSON.stringify(recorded.record.after(0, Infinity))).not.toMatch(/secret\\*"|b25l/);
  expect(recorded.record.hide({ stack: 'Error: one "secret"' })).toEqual({ stack: 'Error: [sensitive]' });
});

it('hides them in the answer of a task, whose request names only the task', () => {
  const recorded = new Recorded();
  recorded.call({ note: 'x' });
  recorded.pass('server', { id: 1, result: { resultType: 'task', taskId: 't1', status: 'working' } });
  recorded.pass('client', { id: 2, method: 'tasks/get', params: { taskId: 't1' } });
  recorded.pass('server', { id: 2, result: { taskId: 't1', result: { structuredContent: { pin: '99' } } } });
  expect(recorded.shown[3].result.result.structuredContent).toEqual({ pin: '[sensitive]' });
});

it('hides variables of a URI, and what is completed', () => {
  const recorded = new Recorded();
  recorded.pass('client', { id: 1, method: 'resources/read', params: { uri: 'bank://my%20pin/7?number=88888' } });
  recorded.pass('server', { id: 1, result: { contents: [{ uri: 'bank://my%20pin/7', text: 'of my pin' }] } });
  const ref = { type: 'ref/prompt', name: 'thank' };
  recorded.pass('client', {
    id: 2,
    method: 'completion/complete',
    params: { ref, argument: { name: 'pin', value: '12' } },
  });
  recorded.pass('server', { id: 2, result: { completion: { values: ['1234'] } } });
  const [read, contents, asked, completed] = recorded.shown;
  expect(read.params.uri).toBe('bank://[sensitive]/7?number=[sensitive]');
  expect(contents.result.contents).toEqual([{ uri: 'bank://[sensitive]/7', text: 'of [sensitive]' }]);
  expect(asked.params.argument).toEqual({ name: 'pin', value: '[sensitive]' });
  expect(completed.result.completion.values).toEqual(['[hidden]']);
});

it('shows nothing of a version before it has said what is sensitive, and asks it', () => {
  const recorded = new Recorded('later');
  recorded.call({ pin: 'a secret' });
  expect(recorded.asked).toEqual(['list']);
  expect(recorded.record.after(0, Infinity)).toEqual({ entries: [], lost: 0, last: 0 });
  recorded.knows(ENTRIES);
  expect(recorded.shown[0].params.arguments).toEqual({ pin: '[sensitive]' });
});

it('hides every value of a version that has ended before it said so', () => {
  const recorded = new Recorded('later');
  recorded.call({ pin: 'a secret', count: 5 });
  recorded.pass('server', { id: 1, result: { content: [{ type: 'text', text: 'a secret' }] } });
  recorded.ends();
  expect(JSON.stringify(recorded.shown)).not.toMatch(/a secret|5/);
});

it('hides the result of a request that was dropped before anybody looked', () => {
  const recorded = new Recorded();
  recorded.pass('server', { id: 7, result: { structuredContent: { pin: '1', other: 'x' } } });
  expect(recorded.shown[0].result.structuredContent).toEqual({ pin: '[hidden]', other: '[hidden]' });
});

it('keeps the messages of a version without sensitive values as they are, byte for byte', () => {
  const recorded = new Recorded(ENTRIES.slice(3));
  recorded.record.note({
    from: 'client',
    text: '{ "jsonrpc": "2.0",  "id": 1, "method": "ping" }',
    session: undefined,
  });
  const unknown = '{ "jsonrpc": "2.0",  "id": 7, "result": { "structuredContent": { "pin": "1" } } }';
  recorded.record.note({ from: 'server', text: unknown, session: undefined });
  const texts = recorded.record.after(0, Infinity).entries.map(({ text }) => text);
  expect(texts).toEqual(['{ "jsonrpc": "2.0",  "id": 1, "method": "ping" }', unknown]);
});

it('shows no marked text, whatever the form of the arguments and of the result', () => {
  const SECRET = 'of-nobody "else"\n';
  const holding = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(SECRET),
      fc.constant(42),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('number', 'owner', 'pin', 'x', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const names = ['pin', 'card', 'others', 'byName', 'with', 'numbr', 'Pin'];
  const args = fc.oneof(holding, fc.dictionary(fc.constantFrom(...names), holding));
  const escaped = JSON.stringify(SECRET).slice(1, -3);
  fc.assert(
    fc.property(args, args, fc.boolean(), (given, result, isText) => {
      const recorded = new Recorded();
      recorded.call({ pin: SECRET, more: given });
      recorded.call(given === SECRET ? {} : given);
      const text = isText ? JSON.stringify(result) : `The result: ${SECRET}`;
      recorded.pass('server', { id: 1, result: { content: [{ type: 'text', text }], structuredContent: result } });
      const shown = JSON.stringify(recorded.record.after(0, Infinity));
      expect(shown).not.toContain('of-nobody');
      expect(shown).not.toContain(escaped);
    }),
  );
});

it('shows no marked text of which nothing was known before', () => {
  const SECRET = 'of-nobody-else';
  const card = fc.record({ owner: fc.constant('Ada'), number: fc.constant(SECRET) });
  const payment = fc.record(
    {
      pin: fc.constant(SECRET),
      card,
      others: fc.array(card, { maxLength: 2 }),
      byName: fc.dictionary(fc.constantFrom('a', 'b'), card),
      with: fc.oneof(card, fc.constant({ currency: 'EUR' })),
      note: fc.constant('a note'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(payment, payment, (given, result) => {
      const recorded = new Recorded();
      recorded.call(given);
      const content = [{ type: 'text', text: JSON.stringify(result) }];
      recorded.pass('server', { id: 1, result: { content, structuredContent: result } });
      expect(JSON.stringify(recorded.shown)).not.toContain(SECRET);
      const asked = { method: 'tools/call', params: { name: 'pay', arguments: given } };
      const fresh = new TrafficMask().result(asked, { structuredContent: result }, recorded.versions.serving);
      expect(JSON.stringify(fresh)).not.toContain(SECRET);
    }),
  );
});

it('says what a version has changed in the lists, also while nobody looks', () => {
  const versions = new ServedVersions();
  const told: unknown[] = [];
  versions.listen({
    onChanges: (changes, isNew) =>
      told.push([isNew, ...changes.map(({ sign, name, words }) => `${sign}${name} ${words}`)]),
    onKnown: () => undefined,
    onReport: () => undefined,
  });
  const tool = (key: string, members: Record<string, string>): ReportedEntry => ({
    ...{ kind: 'tool', key, members, input: undefined, output: undefined },
  });
  const first = versions.attach(() => undefined);
  first.take(JSON.stringify({ entries: [tool('a', { name: '1', description: '1' }), tool('b', {})] }));
  versions.serve();
  expect(told).toEqual([]);
  const second = versions.attach(() => undefined);
  second.take(JSON.stringify({ entries: [tool('a', { name: '1', description: '2' }), tool('c', {})] }));
  expect(told).toEqual([]);
  versions.serve();
  expect(told).toEqual([[true, '+c ', '-b ', '~a description']]);
  second.take(JSON.stringify({ entries: [tool('c', {})] }));
  expect(told.at(-1)).toEqual([false, '-a ']);
});
