/** Bytes -> lines, however the bytes arrive. */
import { PassThrough } from 'node:stream';
import type { ProtocolError } from '@sigil-mcp/protocol';
import fc from 'fast-check';
import { LineReader } from '../src/transports/stdio/read-lines';
import { runs } from '../../../test/support/matrix';

type Taken = string | { readonly error: ProtocolError['error']; readonly message: string };

function read(chunks: readonly Buffer[], maxLineBytes = 1000): Taken[] {
  const taken: Taken[] = [];
  const reader = new LineReader(
    {
      take: (line) => taken.push(line),
      refuse: ({ error, message }, id) => taken.push({ error, message, ...(id !== undefined && { id }) }),
    },
    maxLineBytes,
  );
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return taken;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const parseError = { error: 'parse-error', message: 'The message is not valid UTF-8' };
const tooLong = (limit: number): object => ({
  error: 'invalid-request',
  message: `The message is longer than ${limit} bytes, the limit set by maxLineBytes of StdioTransport`,
});

describe('a line reader', () => {
  it('cuts at newlines, tolerates a return before one, and keeps empty lines', () => {
    expect(read([bytes('a\nb\r\n\n\r\nc\n')])).toEqual(['a', 'b', '', '', 'c']);
  });

  it('takes what has begun at the end of the input as a line, unless it is empty', () => {
    expect(read([bytes('a\nrest')])).toEqual(['a', 'rest']);
    expect(read([bytes('a\n')])).toEqual(['a']);
    expect(read([])).toEqual([]);
  });

  it('joins characters that are split over chunks [BASE-002]', () => {
    const text = bytes('{"ä":"😀"}\n');
    expect(read([...text].map((byte) => Buffer.from([byte])))).toEqual(['{"ä":"😀"}']);
  });

  it('refuses a line that is not UTF-8, and takes its neighbours [BASE-002]', () => {
    const bad = Buffer.concat([bytes('first\n'), Buffer.from([0xff, 0xfe]), bytes('\nlast\n')]);
    expect(read([bad])).toEqual(['first', parseError, 'last']);
  });

  it('refuses a character that is cut off at the end of the input', () => {
    expect(read([bytes('ä').subarray(0, 1)])).toEqual([parseError]);
  });

  it('takes a line of exactly the limit, and refuses a longer one', () => {
    expect(read([bytes('12345\n123456\n12345')], 5)).toEqual(['12345', tooLong(5), '12345']);
  });

  it('refuses a line as soon as it is too long, and skips its rest', () => {
    const taken: Taken[] = [];
    const reader = new LineReader(
      { take: (line) => taken.push(line), refuse: ({ message }) => taken.push(message) },
      10,
    );
    reader.push(bytes('x'.repeat(8)));
    expect(taken).toHaveLength(0);
    reader.push(bytes('xxx'));
    expect(taken).toHaveLength(1);
    reader.push(bytes('xxx'));
    reader.push(bytes('xx\nnext\n'));
    expect(taken.slice(1)).toEqual(['next']);
    reader.push(bytes('y'.repeat(11)));
    reader.end();
    expect(taken).toHaveLength(3);
  });

  it('refuses a long request under its own id, wherever that stands, and never answers what is none [BASE-007]', () => {
    const long = 'x'.repeat(200_000);
    const deep = { id: 'inner', method: 'no', result: 1, list: [{ id: 7 }, '},"id":8}'], text: ',"id":9}' };
    const lines: Readonly<Record<string, [message: object, id: unknown]>> = {
      'the id in front': [{ jsonrpc: '2.0', id: 'a', method: 'x', params: { deep, long } }, 'a'],
      'the id at the end': [{ method: 'x', params: { long, deep }, jsonrpc: '2.0', id: 12 }, 12],
      'the id before simple members': [{ params: { long, deep }, id: '"q\\', jsonrpc: '2.0', method: 'x' }, '"q\\'],
      'a long id': [{ id: long, method: 'x' }, undefined],
      'an id that is none': [{ id: 1.5, method: 'x', params: { long } }, undefined],
      'nothing to be seen': [{ long }, undefined],
    };
    for (const [message, id] of Object.values(lines)) {
      const line = bytes(`${JSON.stringify(message)}\n`);
      for (const chunks of [[line], split(line, [100, 70_000, 180_000, line.length - 5])])
        expect(read(chunks, 100_000)).toEqual([{ ...tooLong(100_000), ...(id !== undefined && { id }) }]);
    }
    expect(read([bytes(`${JSON.stringify({ method: 'n', params: { long } })}\n`)], 100_000)).toEqual([]);
    const answer = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
    for (const response of [
      { id: 5, result: { long, deep } },
      { result: { long, deep }, id: 5 },
      { error: { long }, id: 5 },
    ])
      expect(read([bytes(`${answer(response)}\n`)], 100_000)).toEqual([
        answer({ id: 5, error: { code: -32600, message: (tooLong(100_000) as { message: string }).message } }),
      ]);
  });

  it('finds the end of every long line, whatever brackets and quotes are in it', () => {
    const text = fc.stringMatching(/^[[\]{}:,"\\ a1]{0,60}$/);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (line, limit) => {
        const [first, ...rest] = read([bytes(`{${line}\nnext\n`)], limit + 4);
        expect([first === undefined, rest.length]).toEqual([false, 1]);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('does not keep what it skips, and takes a long line in time that grows with its length', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const before = process.memoryUsage();
    const taken = read([...Array.from({ length: 2048 }, () => chunk), bytes('\nnext\n')], 1024 * 1024);
    const after = process.memoryUsage();
    expect(taken).toEqual([tooLong(1024 * 1024), 'next']);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16 * 1024 * 1024);
    const tiny = Buffer.from('x');
    expect(read([...Array.from({ length: 200_000 }, () => tiny), bytes('\n')], 1024 * 1024)).toEqual([
      'x'.repeat(200_000),
    ]);
  });

  it('reads from a real stream', async () => {
    const stream = new PassThrough();
    const taken: Taken[] = [];
    const reader = new LineReader(
      { take: (line) => taken.push(line), refuse: ({ message }) => taken.push(message) },
      1000,
    );
    stream.on('data', (chunk: Buffer) => reader.push(chunk)).on('end', () => reader.end());
    const ended = new Promise((resolve) => stream.once('close', resolve));
    stream.write('one\ntw');
    stream.write('o\nthree');
    stream.end();
    await ended;
    expect(taken).toEqual(['one', 'two', 'three']);
  });

  it('gives the same lines for every way to split the same bytes', () => {
    // Mostly what matters: newlines, returns, parts of characters, lines about as long as the limit.
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xa4, 0xf0, 0x9f, 0x98, 0x80), fc.nat(255));
    const input = fc.array(byte, { maxLength: 200 }).map((values) => Buffer.from(values));
    const cuts = fc.array(fc.nat(200), { maxLength: 30 });
    fc.assert(
      fc.property(input, cuts, fc.integer({ min: 1, max: 40 }), (whole, positions, limit) => {
        expect(read(split(whole, positions), limit)).toEqual(read([whole], limit));
        expect(read([whole], limit)).toEqual(expected(whole, limit));
      }),
      { numRuns: runs(2000) },
    );
  });
});

function split(whole: Buffer, positions: readonly number[]): Buffer[] {
  const edges = [0, ...positions.filter((position) => position < whole.length).sort((a, b) => a - b), whole.length];
  return edges.slice(1).map((end, index) => whole.subarray(edges[index], end));
}

/** The definition, without any thought of speed. */
function expected(whole: Buffer, limit: number): Taken[] {
  const lines = whole.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    if (line.length > limit) return tooLong(limit) as Taken;
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(line, 'latin1'));
      return text.replace(/\r$/, '');
    } catch {
      return parseError as Taken;
    }
  });
}
