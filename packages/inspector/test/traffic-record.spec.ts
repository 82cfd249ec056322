/** The messages that a page reads later: bounded by their bytes, and told where some are missing. */
import { ManualClock } from '@sigil-mcp/testing';
import type { TappedText } from '@sigil-mcp/cli/kit/dev';
import { TrafficRecord } from '../src/traffic-record';

const text = (number: number, more: Partial<TappedText> = {}): TappedText => ({
  from: 'client',
  text: JSON.stringify({ jsonrpc: '2.0', id: number, method: 'ping' }),
  session: undefined,
  ...more,
});

it('hands out every message once, in order, in parts', () => {
  const record = new TrafficRecord(new ManualClock());
  for (let number = 1; number <= 1000; number += 1) record.note(text(number));
  const read: number[] = [];
  let seq = 0;
  while (seq < record.last) {
    const { entries, lost } = record.after(seq, 5000);
    expect(lost).toBe(0);
    read.push(...entries.map(({ text: each }) => (JSON.parse(each) as { id: number }).id));
    seq = entries.at(-1)?.seq ?? Infinity;
  }
  expect(read).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
});

it('drops the oldest messages when there are too many bytes, and counts them', () => {
  const record = new TrafficRecord(new ManualClock(), 10_000);
  for (let number = 1; number <= 100; number += 1) record.note(text(number));
  const { entries, lost } = record.after(0, Infinity);
  expect(entries.length).toBeLessThan(100);
  expect(lost + entries.length).toBe(100);
  expect(entries.at(-1)?.seq).toBe(100);
});

it('counts no message as lost that was cleared on purpose', () => {
  const record = new TrafficRecord(new ManualClock());
  record.note(text(1));
  record.clear();
  record.note(text(2));
  expect(record.after(0, Infinity)).toMatchObject({ lost: 0, entries: [{ seq: 2 }] });
});

it('shows no secret of a header', () => {
  const record = new TrafficRecord(new ManualClock());
  const secret = ['authorization', 'cookie', 'x-api-key', 'x-auth', 'mcp-session-id', 'x-signature', 'x-client-cert'];
  const ofProxies = [
    'cf-access-jwt-assertion',
    'x-goog-iap-jwt-assertion',
    'x-amzn-oidc-data',
    'x-ms-client-principal-token',
  ];
  const challenge = 'Bearer scope="read"';
  const headers = {
    ...Object.fromEntries([...secret, ...ofProxies].map((name) => [name, 'Bearer s3cret'])),
    accept: 'text/html',
    'www-authenticate': challenge,
  };
  record.note(text(1, { head: { line: 'POST /mcp?sessionId=s3cret', headers } }));
  const [entry] = record.after(0, Infinity).entries;
  expect(JSON.stringify(entry)).not.toContain('s3cret');
  expect(entry?.head?.headers).toMatchObject({
    authorization: '(hidden)',
    accept: 'text/html',
    'www-authenticate': challenge,
  });
});

it('takes an empty body and a body that is no JSON as they are', () => {
  const record = new TrafficRecord(new ManualClock());
  record.note(text(1, { text: Buffer.from('no JSON') }));
  expect(record.after(0, Infinity).entries).toMatchObject([{ text: 'no JSON' }]);
});
