/** Records on stdout and stderr. */
import { PassThrough } from 'node:stream';
import { stderrSink, stdoutSink } from '@sigil-mcp/audit';
import { openingWith } from './open-sink';

const GUARDED = Symbol.for('sigil.stdout');

/** Other specs of a worker may guard its stdout, which lasts: here is another one in its place. */
const real = Object.getOwnPropertyDescriptor(process, 'stdout') as PropertyDescriptor;
beforeEach(() => void Object.defineProperty(process, 'stdout', { value: new PassThrough(), configurable: true }));
afterEach(() => {
  jest.restoreAllMocks();
  Object.defineProperty(process, 'stdout', real);
});

it.each([
  ['stdout', stdoutSink],
  ['stderr', stderrSink],
] as const)('writes lines to %s, and fails if they cannot be written', async (name, sinkFor) => {
  const sink = sinkFor();
  const listeners = process[name].listenerCount('error');
  await sink.open?.(openingWith());
  const failures: Error[] = [];
  const write = jest.spyOn(process[name], 'write').mockImplementation((_, done: unknown) => {
    (done as (error?: Error) => void)(failures[0]);
    return true;
  });
  await sink.write(['{"a":1}', '{"b":2}']);
  expect(write.mock.calls[0]?.[0]).toBe('{"a":1}\n{"b":2}\n');
  failures.push(new Error('EPIPE'));
  await expect(sink.write(['{}'])).rejects.toThrow('EPIPE');
  await sink.close?.();
  expect(process[name].listenerCount('error')).toBe(listeners);
});

it('refuses a stdout that belongs to the protocol, when it is opened and with each record', async () => {
  const refused = expect.objectContaining({ code: 'SIGIL_AUDIT_STDOUT' }) as Error;
  expect(() => stdoutSink().open?.({ ...openingWith(), takesStdout: true })).toThrow(refused);
  const early = stdoutSink();
  await early.open?.(openingWith());
  Object.defineProperty(process.stdout, GUARDED, { value: () => true, configurable: true });
  expect(() => early.write(['{}'])).toThrow(refused);
  expect(() => stdoutSink().open?.(openingWith())).toThrow(refused);
  await stderrSink().open?.(openingWith());
  await early.close?.();
});
