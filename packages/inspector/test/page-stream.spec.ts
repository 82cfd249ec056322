/** The stream to an open page: every message, in order, however many there are. */
import { request, type IncomingMessage } from 'node:http';
import { systemClock } from '@sigil-mcp/core/adapter';
import { SecondLine } from '@sigil-mcp/cli/kit/dev';
import { DevPage } from '../src/dev-page';

const TOTAL = 5000;
const MEBIBYTE = 1024 * 1024;

interface News {
  readonly lost: number;
  readonly entries: readonly { readonly seq: number; readonly text: string }[];
}

/** Reads the traffic of the stream until it has so many messages. */
function read(url: URL, count: number): Promise<{ ids: number[]; lost: number }> {
  return new Promise((resolve, reject) => {
    const ids: number[] = [];
    let [lost, rest] = [0, ''];
    const headers = { 'x-sigil-key': url.hash.slice(1) };
    const sent = request({ host: url.hostname, port: url.port, path: '/__sigil/api/events', headers });
    sent.on('error', reject).on('response', (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        const events = (rest + piece).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const [, data] = /^event: traffic\ndata: (.*)$/.exec(event) ?? [];
          if (data === undefined) continue;
          const news = JSON.parse(data) as News;
          lost += news.lost;
          ids.push(...news.entries.map(({ text }) => (JSON.parse(text) as { id: number }).id));
        }
        if (ids.length < count) return;
        sent.destroy();
        resolve({ ids, lost });
      });
    });
    sent.end();
  });
}

it('loses none of five thousand messages, those before it was opened included', async () => {
  const reach = { address: undefined, second: new SecondLine(), program: () => undefined };
  const page = new DevPage({ folder: __dirname, clock: systemClock, reach });
  const padding = 'x'.repeat(1000);
  const note = (id: number): void =>
    page.tap.note({
      from: 'client',
      text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { padding } }),
      session: undefined,
    });
  try {
    for (let id = 0; id < TOTAL / 5; id += 1) note(id);
    const reading = read(new URL(page.urlAt(await page.listen())), TOTAL);
    for (let id = TOTAL / 5; id < TOTAL; id += 1) {
      note(id);
      // As fast as a pipe is read.
      if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await reading).toEqual({ ids: Array.from({ length: TOTAL }, (_, index) => index), lost: 0 });
  } finally {
    await page.close();
  }
});

it('gives up a page that does not read, before it keeps too much for it', async () => {
  const reach = { address: undefined, second: new SecondLine(), program: () => undefined };
  const page = new DevPage({ folder: __dirname, clock: systemClock, reach });
  try {
    const url = new URL(page.urlAt(await page.listen()));
    const headers = { 'x-sigil-key': url.hash.slice(1) };
    const sent = request({ host: url.hostname, port: url.port, path: '/__sigil/api/events', headers });
    const response = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve).end());
    for (let told = 0; told < 200; told += 1) {
      page.state.broadcast('times', 'x'.repeat(MEBIBYTE));
      await new Promise((resolve) => setImmediate(resolve));
    }
    let bytes = 0;
    await new Promise((resolve) => {
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('error', resolve).on('close', resolve);
    });
    expect(bytes).toBeLessThan(50 * MEBIBYTE);
  } finally {
    await page.close();
  }
});
