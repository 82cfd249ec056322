/** However an address is written, it is one client. */
import { networkOf, readAddress } from '../src/limits/client-key';

it.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:443', '192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['[::FFFF:c000:0201]:1', '192.0.2.1', '192.0.2.1'],
  ['::1', '::1', '0:0:0:0::/64'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', '2001:db8:0:0::/64'],
  ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8::', '2001:db8:0:0::/64'],
  ['1::2:3:4:5:6', '1::2:3:4:5:6', '1:0:0:2::/64'],
  ['fe80::1%eth0', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown', 'unknown'],
  ['_hidden:1', '_hidden:1', '_hidden:1'],
  ['', '', ''],
])('%s is %s, of %s', (text, address, network) => {
  expect(readAddress(text)).toBe(address);
  expect(networkOf(readAddress(text))).toBe(network);
});

it('identifies a text that is no address by its beginning, because buckets of rates keep it', () => {
  const text = 'x'.repeat(16_384);
  expect(networkOf(readAddress(text))).toBe('x'.repeat(64));
  expect(networkOf('x'.repeat(64))).toBe('x'.repeat(64));
});
