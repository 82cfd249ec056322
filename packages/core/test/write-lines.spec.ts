/** Messages -> bytes: one write a turn, and no more than the other side takes. */
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { LineWriter } from '../src/transports/stdio/write-lines';

/** Keeps what is written, and finishes a write when it is told to. */
class SlowSink extends Writable {
  readonly written: string[] = [];
  #finish: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 10, decodeStrings: false });
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.written.push(chunk);
    this.#finish = done;
  }

  async finish(): Promise<void> {
    this.#finish?.();
    await turn();
  }
}

const unheard = { full: (): void => undefined, drained: (): void => undefined };

describe('a line writer', () => {
  it('joins what is written in one turn into one write, in order, one line each [STDIO-001]', async () => {
    const sink = new SlowSink();
    const writer = new LineWriter(sink, unheard);
    expect([writer.write('one'), writer.write('two'), writer.write('three')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(sink.written).toEqual([]);
    await turn();
    expect(sink.written).toEqual(['one\ntwo\nthree\n']);
  });

  it('does not wait for the end of the turn with what fills a page, and keeps the order', async () => {
    const sink = new PassThrough();
    const writer = new LineWriter(sink, unheard);
    const lines = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(100, '.'));
    for (const line of lines) expect(writer.write(line)).toBeUndefined();
    expect(sink.readableLength).toBeGreaterThan(4000);
    await turn();
    expect(String(sink.read())).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  it('hands nothing more to a stream that is full, and makes those who write wait', async () => {
    const sink = new SlowSink();
    const told: string[] = [];
    const writer = new LineWriter(sink, { full: () => told.push('full'), drained: () => told.push('drained') });
    void writer.write('longer than the mark');
    await turn();
    expect(told).toEqual(['full']);
    let hasRoom = false;
    const room = writer.write('more');
    expect(room).toBeInstanceOf(Promise);
    void room?.then(() => (hasRoom = true));
    await turn();
    expect([sink.written.length, hasRoom]).toEqual([1, false]);
    await sink.finish();
    expect(hasRoom).toBe(true);
    expect(told).toEqual(['full', 'drained']);
    expect(sink.written).toEqual(['longer than the mark\n', 'more\n']);
  });

  it('takes a turn of the event loop when much is written at once, though the stream takes all', async () => {
    const writer = new LineWriter(new PassThrough().resume(), unheard);
    const first = writer.write('x'.repeat(100_000));
    expect(first).toBeInstanceOf(Promise);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    for (let count = 0; count < 200; count += 1) await writer.write('x'.repeat(100_000));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
  });

  it('is finished when the stream has taken everything', async () => {
    const sink = new SlowSink();
    const writer = new LineWriter(sink, unheard);
    await writer.finished();
    void writer.write('a');
    void writer.write('b');
    let isFinished = false;
    const finished = writer.finished().then(() => (isFinished = true));
    expect(sink.written).toEqual(['a\nb\n']);
    await turn();
    expect(isFinished).toBe(false);
    await sink.finish();
    await finished;
  });

  it('lets go of everybody when it is closed, and writes nothing more', async () => {
    const sink = new SlowSink();
    const writer = new LineWriter(sink, unheard);
    void writer.write('longer than the mark');
    await turn();
    const room = writer.write('more');
    const finished = writer.finished();
    writer.close();
    await room;
    await finished;
    expect(writer.write('late')).toBeUndefined();
    await sink.finish();
    expect(sink.written).toEqual(['longer than the mark\n']);
    expect(sink.listenerCount('drain')).toBe(0);
  });

  it('loses and reorders nothing on its way through a real stream that is read slowly', async () => {
    const stream = new PassThrough({ highWaterMark: 1024 });
    const writer = new LineWriter(stream, unheard);
    const lines = Array.from({ length: 5000 }, (_, index) => `${index} ä😀 ${'x'.repeat(index % 200)}`);
    const reading = (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    })();
    for (const line of lines)
      if (Number.parseInt(line) % 100 === 0) await writer.write(line);
      else void writer.write(line);
    await writer.finished();
    stream.end();
    expect(await reading).toBe(`${lines.join('\n')}\n`);
  });
});
