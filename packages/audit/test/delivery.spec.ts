/** Sinks that fail, hang, are slow and come back: records arrive in order, at least once, or are counted. */
import { audit, type AuditOptions, type AuditRecord, type AuditSink } from '@sigil-mcp/audit';
import type { ObservedRefusal, ObservedServer } from '@sigil-mcp/core';
import { ANONYMOUS } from '@sigil-mcp/core/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { ReadableLog, SECRET } from './open-sink';

/** A refusal whose code tells which it is. */
const refusal = (code: number): ObservedRefusal => ({
  status: 403,
  code,
  message: 'No.',
  limit: undefined,
  error: undefined,
  caller: ANONYMOUS,
  headers: {},
  address: undefined,
});

/** An audit that has started. */
async function opened(sink: AuditOptions['sink'], options: Partial<AuditOptions> = {}) {
  const [clock, logger] = [new ManualClock(), new ReadableLog()];
  const observer = audit({ sink, secret: SECRET, ...options });
  const held = { bytes: 0, kinds: {}, limit: 1, meter: () => () => undefined };
  const server: ObservedServer = { name: 'bank', version: '1.0.0', takesStdout: false, held, logger, clock };
  await observer.onStart?.(server);
  return { observer, server, clock, logger, refuse: (code: number) => observer.requestRefused?.(refusal(code)) };
}

/** A sink that fails as long as it is told to. */
class Moody implements AuditSink {
  readonly lines: string[] = [];
  attempts = 0;
  mood: 'well' | 'throws' | 'rejects' | 'hangs' = 'well';

  constructor(readonly isImmediate = true) {}

  write(lines: readonly string[]): void | Promise<void> {
    this.attempts += 1;
    if (this.mood === 'throws') throw new Error('The disk is full.');
    if (this.mood === 'rejects') return Promise.reject(new Error('The network is gone.'));
    if (this.mood === 'hangs') return new Promise(() => undefined);
    this.lines.push(...lines);
  }

  get records(): AuditRecord[] {
    return this.lines.map((line) => JSON.parse(line) as AuditRecord);
  }

  get codes(): (number | string)[] {
    return this.records.map((record) => ('code' in record && record.code !== undefined ? record.code : record.kind));
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

it.each([true, false])(
  'takes records in their order again and again, until the sink has them (at once: %s)',
  async (isImmediate) => {
    const sink = new Moody(isImmediate);
    const { observer, clock, logger, refuse } = await opened(sink);
    await turn();
    for (const mood of ['throws', 'rejects', 'hangs'] as const) {
      sink.mood = mood;
      refuse(1);
      refuse(2);
      await clock.advance(40_000);
      expect(observer.waiting).toBe(2);
      sink.mood = 'well';
      await clock.advance(40_000);
      expect(observer.waiting).toBe(0);
    }
    expect(sink.codes).toEqual(['started', 1, 2, 1, 2, 1, 2]);
    const failing = 'error: The audit sink fails: its records wait, and are tried again';
    expect(logger.lines).toEqual(Array(3).fill([failing, 'info: The audit sink takes records again']).flat());
    expect(observer.lost).toBe(0);
  },
);

it('waits longer after each failure', async () => {
  const sink = new Moody();
  const { clock, refuse } = await opened(sink);
  sink.mood = 'throws';
  refuse(1);
  sink.attempts = 0;
  await clock.advance(100 + 200 + 400 + 800);
  expect(sink.attempts).toBe(4);
  await clock.advance(120_000);
  expect(sink.attempts).toBeLessThan(16);
});

it('counts what does not fit, and tells where it is missing as soon as the sink works again', async () => {
  const sink = new Moody();
  const { observer, clock, logger, refuse } = await opened(sink, { maxBufferBytes: 3000 });
  sink.mood = 'throws';
  for (let code = 1; code <= 100; code += 1) refuse(code);
  const taken = observer.waiting;
  expect(taken).toBeGreaterThan(1);
  expect(observer.lost).toBe(100 - taken);
  const from = new Date(clock.now()).toISOString();
  await clock.advance(5000);
  sink.mood = 'well';
  await clock.advance(30_000);
  expect(sink.codes).toEqual(['started', ...Array.from({ length: taken }, (_, index) => index + 1), 'lost']);
  expect(sink.records.at(-1)).toMatchObject({ kind: 'lost', count: 100 - taken, from, to: from });
  refuse(101);
  expect(sink.codes.at(-1)).toBe(101);
  expect(logger.lines.filter((line) => line.includes('lost'))).toHaveLength(1);
  sink.mood = 'throws';
  for (let code = 1; code <= 100; code += 1) refuse(code);
  expect(logger.lines.filter((line) => line.includes('are lost'))).toHaveLength(2);
});

it('takes one record that is larger than the buffer, and no second one beside it', async () => {
  const sink = new Moody();
  const { observer, clock, refuse } = await opened(sink, { maxBufferBytes: 1 });
  refuse(1);
  sink.mood = 'throws';
  refuse(2);
  refuse(3);
  expect([observer.waiting, observer.lost]).toEqual([1, 1]);
  sink.mood = 'well';
  await clock.advance(30_000);
  expect(sink.codes).toEqual(['started', 1, 2, 'lost']);
});

it('gives a function batches of records with their lines', async () => {
  const batches: (readonly AuditRecord[])[] = [];
  const lines: string[] = [];
  let finish: (() => void) | undefined;
  const { refuse } = await opened(
    (records, texts) => {
      batches.push(records);
      lines.push(...texts);
      return new Promise<void>((resolve) => (finish = resolve));
    },
    { batch: 3 },
  );
  await turn();
  for (let code = 1; code <= 5; code += 1) refuse(code);
  await turn();
  expect(batches.map(({ length }) => length)).toEqual([1]);
  for (let count = 0; count < 3; count += 1) {
    finish?.();
    await turn();
  }
  expect(batches.map(({ length }) => length)).toEqual([1, 3, 2]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(batches.flat());
});

it('delivers the last records before the server closes, or says how many it could not', async () => {
  const sink = new Moody(false);
  const { observer, server, clock, refuse } = await opened(sink, { closeTimeout: 1000 });
  sink.mood = 'rejects';
  refuse(1);
  await turn();
  const stopped = Promise.resolve(observer.onStop?.(server));
  await clock.advance(300);
  sink.mood = 'well';
  await clock.advance(300);
  await stopped;
  expect(sink.codes).toEqual(['started', 1, 'stopped']);
  const other = new Moody();
  const second = await opened(other, { closeTimeout: 1000 });
  other.mood = 'hangs';
  second.refuse(1);
  const closing = Promise.resolve(second.observer.onStop?.(second.server));
  const failed = expect(closing).rejects.toMatchObject({ code: 'SIGIL_AUDIT_UNDELIVERED' });
  await second.clock.advance(1000);
  await failed;
  expect(second.observer.lost).toBe(2);
});

it('writes nothing into a sink that was closed without its last records', async () => {
  const sink = new Moody(false);
  let wasClosed = false;
  const writes: boolean[] = [];
  const write = sink.write.bind(sink);
  let fail: () => void = () => undefined;
  sink.write = (lines) => {
    writes.push(wasClosed);
    if (sink.mood !== 'hangs') return write(lines);
    return new Promise((_, reject) => (fail = () => reject(new Error('The network is gone.'))));
  };
  Object.assign(sink, { close: () => void (wasClosed = true) });
  const { observer, server, clock, refuse } = await opened(sink, { closeTimeout: 1000 });
  await turn();
  sink.mood = 'hangs';
  refuse(1);
  await turn();
  const closing = expect(Promise.resolve(observer.onStop?.(server))).rejects.toMatchObject({
    code: 'SIGIL_AUDIT_UNDELIVERED',
  });
  await clock.advance(1000);
  await closing;
  fail();
  await clock.advance(120_000);
  expect([writes.includes(true), clock.pending]).toEqual([false, 0]);
});

it('may be started again after it was stopped', async () => {
  const sink = new Moody();
  const { observer, server } = await opened(sink, { chain: true });
  await observer.onStop?.(server);
  await observer.onStart?.(server);
  await observer.onStop?.(server);
  expect(sink.codes).toEqual(['started', 'stopped', 'started', 'stopped']);
  observer.requestRefused?.(refusal(1));
  expect(sink.codes).toHaveLength(4);
});

it('refuses to be made without a secret, with a short one, or without a sink', () => {
  const sink = new Moody();
  const codeOf = (options: object): unknown => {
    try {
      return audit({ sink, secret: SECRET, ...options });
    } catch (error) {
      return (error as { code: unknown }).code;
    }
  };
  for (const secret of [undefined, '', 'short', 7]) expect(codeOf({ secret })).toBe('SIGIL_AUDIT_SECRET');
  for (const one of [undefined, {}, 'audit.log']) expect(codeOf({ sink: one })).toBe('SIGIL_AUDIT_SINK');
  for (const number of [0, -1, Number.NaN, '1'])
    for (const name of ['maxBufferBytes', 'batch', 'timeout', 'closeTimeout'])
      expect(codeOf({ [name]: number })).toBe('SIGIL_AUDIT_NUMBER');
  expect(() => audit({ sink, secret: 'hunter2' })).toThrow('a text of 7 characters');
});
