/** What records that wait count as: at least what they take. */
import { audit, type AuditSink } from '@sigil-mcp/audit';
import { ANONYMOUS } from '@sigil-mcp/core/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ReadableLog, SECRET } from './open-sink';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A sink that takes nothing, and the bytes that wait for it after so many refusals. */
async function filled(records: number, maxBufferBytes: number): Promise<{ counted: number; heap: number }> {
  const sink: AuditSink = { write: () => new Promise<void>(() => undefined) };
  const observer = audit({ sink, secret: SECRET, maxBufferBytes });
  let read = (): number => 0;
  const meter = (_kind: string, bytes: () => number): (() => void) => {
    read = bytes;
    return () => undefined;
  };
  const held = { bytes: 0, kinds: {}, limit: 1, meter };
  const [logger, clock] = [new ReadableLog(), new ManualClock()];
  await observer.onStart?.({ name: 'bank', version: '1.0.0', takesStdout: false, held, logger, clock });
  collect();
  const before = process.memoryUsage().heapUsed;
  const refused = {
    status: 403,
    code: 1,
    message: 'No.',
    limit: undefined,
    error: undefined,
    headers: {},
    address: undefined,
  };
  for (let count = 0; count < records; count++) observer.requestRefused?.({ ...refused, caller: ANONYMOUS });
  collect();
  return { counted: read(), heap: process.memoryUsage().heapUsed - before };
}

it('records that wait are counted as at least what they take', async () => {
  const { counted, heap } = await filled(20_000, Infinity);
  expect(counted).toBeGreaterThan(heap);
});

it('records that wait take no more than their limit', async () => {
  const { counted } = await filled(100, 20_000);
  expect(counted).toBeGreaterThan(10_000);
  expect(counted).toBeLessThanOrEqual(20_000);
});
