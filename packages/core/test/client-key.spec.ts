/** What is remembered of the addresses of clients: they come out of headers, which clients write. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ClientKeys } from '../src/limits/client-key';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it.each([
  [
    'an address behind a long header',
    (header: string, index: number) => `${header}, 2001:db8::1:${index}`.slice(16_386),
  ],
  ['a text that is no address', (header: string, index: number) => `${header}${index}`],
])('keeps none of the header for %s', (_what, addressIn) => {
  const keys = new ClientKeys();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 1000; index < 6000; index++) {
    const header = Buffer.alloc(16_384, 'x').toString('latin1');
    expect(keys.of(undefined, addressIn(header, index))).toMatch(/^address-/);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * 1024 * 1024);
  expect(keys.of(undefined, '2001:db8::1:1000')).toBe(keys.of(undefined, '2001:db8::2'));
});
