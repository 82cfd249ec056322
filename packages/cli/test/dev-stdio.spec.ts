/** The pipe that `sigil dev` holds, and servers that come and go behind it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ManualClock } from '@sigil-mcp/testing';
import { freePort } from '../../../test/support/free-port';
import { readShapes, type MessageShape } from '../src/dev/message-shape';
import { StdioLine } from '../src/dev/stdio-line';
import { TemporaryFolders } from '../../../test/support/temporary-folder';
import { develop } from './develop';
import { turn } from '../../../test/support/turn';
import { until } from '../../../test/support/until';

jest.setTimeout(120_000);

/** Speaks just enough; what it was told can be asked of it. */
const SERVER = `
const { appendFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const name = require('node:path').basename(__filename, '.js');
appendFileSync(__dirname + '/pids', process.pid + '\\n');
if (name === 'needy') require('node:net').createServer().listen(Number(process.env.ONE_PORT), '127.0.0.1').unref();
const told = [];
let asked;
const answers = {
  initialize: ({ bad }) => name === 'dying' ? process.exit(3) : bad ? undefined : { capabilities: {} },
  ping: () => name === 'mute' ? null : {},
  'resources/subscribe': ({ uri }) => name === 'two' && uri === 'x://gone' ? undefined : {},
  name: () => ({ name }),
  told: () => ({ told }),
  never: () => null,
  leave: () => {
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: ['ignore', 'inherit', 'ignore'] }).unref();
    return {};
  },
};
const write = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
function take(message) {
  const { id, method, params = {}, result } = message;
  told.push(method === undefined ? 'answer to ' + id : [method, params.uri ?? params.requestId].filter(Boolean).join(' '));
  if (method === 'ask') {
    asked = id;
    write({ jsonrpc: '2.0', id: 1, method: 'elicitation/create' });
  } else if (method === undefined && id === 1) write({ jsonrpc: '2.0', id: asked, result });
  if (method === undefined || id === undefined || !answers[method]) return [];
  const answer = answers[method](params);
  if (answer === null) return [];
  return [{ jsonrpc: '2.0', id, ...(answer ? { result: answer } : { error: { code: -32602, message: 'not so' } }) }];
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (Array.isArray(message)) {
    const batch = message.flatMap(take);
    if (batch.length > 0) write(batch);
  } else take(message).forEach(write);
});
if (name === 'stubborn') setInterval(() => {}, 1000);
process.stdin.on('end', () => appendFileSync(__dirname + '/left', name));
`;

const folders = new TemporaryFolders();

/** Milliseconds that running calls have to finish when the server is exchanged. */
const DRAIN = 2000;

class Pipe {
  /** Time stands still until a test moves it. */
  readonly clock = new ManualClock();
  readonly folder = folders.make(
    Object.fromEntries(['one', 'two', 'stubborn', 'mute', 'dying', 'needy'].map((name) => [`${name}.js`, SERVER])),
  );
  readonly heard: MessageShape[] = [];
  readonly #dev: ReturnType<typeof develop>;
  readonly input = new PassThrough();
  /** Whether the client is gone, and was answered before. */
  hasHungUp = false;

  /** @param onePort the port that the server "needy" uses */
  constructor(onePort = 0) {
    const output = new PassThrough();
    output.on('data', (text) =>
      this.heard.push(
        ...String(text)
          .split('\n')
          .flatMap((line) => readShapes(line)),
      ),
    );
    const { input, clock } = this;
    const line = new StdioLine({ input, output, onHangUp: () => (this.hasHungUp = true), clock });
    const environment = { ...process.env, ONE_PORT: String(onePort) };
    this.#dev = develop(line, { folder: this.folder, patience: DRAIN, clock }, environment);
    closing.push(() => this.server.close());
  }

  get server() {
    return this.#dev.server;
  }

  get said(): readonly string[] {
    return this.#dev.said;
  }

  replace(): Promise<void> {
    return this.#dev.replace(() => this.build());
  }

  /** Orders a server in the place of the last one. */
  build(name = 'two'): void {
    this.server.changed();
    this.server.built(join(this.folder, `${name}.js`));
  }

  ready(times: number): Promise<void> {
    return this.#dev.ready(times);
  }

  send(...messages: readonly object[]): void {
    const wire = messages.map((message) => ({ jsonrpc: '2.0', ...message }));
    this.input.write(`${JSON.stringify(wire.length === 1 ? wire[0] : wire)}\n`);
  }

  async answer(id: unknown): Promise<MessageShape> {
    await until(() => this.heard.some((message) => message.id === id && !message.method));
    return this.heard.find((message) => message.id === id && !message.method)!;
  }

  async ask(id: number, method: string, params = {}): Promise<MessageShape> {
    this.send({ id, method, params });
    return this.answer(id);
  }

  async question(): Promise<unknown> {
    await until(() => this.heard.some(({ method }) => method === 'elicitation/create'));
    return this.heard.find(({ method }) => method === 'elicitation/create')!.id;
  }

  async open(): Promise<void> {
    this.build('one');
    await this.ready(1);
    await this.ask(0, 'initialize');
    this.send({ method: 'notifications/initialized' });
  }

  /** Whether a server was asked to end. */
  get hasLeft(): boolean {
    return existsSync(join(this.folder, 'left'));
  }

  get running(): number[] {
    const file = join(this.folder, 'pids');
    // Empty while the server is about to write into it.
    const pids = existsSync(file) ? (readFileSync(file, 'utf8').match(/\d+/g) ?? []) : [];
    return pids.map(Number).filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
  }
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  folders.removeAll();
});

describe('closing', () => {
  const closed = async (pipe: Pipe): Promise<void> => {
    // No time passes meanwhile: it waits for nobody's patience.
    await pipe.server.close();
    expect(pipe.running).toEqual([]);
  };

  it('while a call drains ends everything at once, and starts nothing', async () => {
    const pipe = new Pipe();
    await pipe.open();
    pipe.send({ id: 1, method: 'never' });
    await pipe.replace();
    await closed(pipe);
    await pipe.clock.advance(DRAIN);
    expect(pipe.running).toEqual([]);
    expect(pipe.said).toHaveLength(1);
  });

  it('while the old server takes its time to end is not slower than that', async () => {
    const pipe = new Pipe();
    pipe.build('stubborn');
    await pipe.ready(1);
    pipe.build();
    await until(() => pipe.hasLeft);
    await closed(pipe);
  });

  it('while the new server is being waited for ends that too', async () => {
    const pipe = new Pipe();
    pipe.build('mute');
    await until(() => pipe.running.length === 1);
    await closed(pipe);
    expect(pipe.said).toEqual([]);
  });
});

describe('the end of the input', () => {
  const request = (id: number, method: string): string => JSON.stringify({ jsonrpc: '2.0', id, method });

  it('ends it at once if nothing was asked', async () => {
    const pipe = new Pipe();
    pipe.input.end();
    await until(() => pipe.hasHungUp);
  });

  it('before the first version is ready waits for it, which answers, and leaves like any server', async () => {
    const pipe = new Pipe();
    pipe.server.changed();
    // The last line has no line end.
    pipe.input.end(`${request(1, 'initialize')}\n${request(2, 'name')}`);
    await turn();
    expect(pipe.hasHungUp).toBe(false);
    pipe.build('one');
    await until(() => pipe.hasHungUp);
    expect(pipe.heard.map(({ id }) => id)).toEqual([1, 2]);
    expect(pipe.hasLeft).toBe(true);
    expect(pipe.said).toHaveLength(1);
  });

  it('before the first version answers with an error if there is none', async () => {
    const pipe = new Pipe();
    pipe.server.changed();
    pipe.input.end(`${request(1, 'initialize')}\n`);
    pipe.server.failed({ headline: 'A ; is missing.', text: '', problems: [] });
    await until(() => pipe.hasHungUp);
    expect(pipe.heard).toEqual([expect.objectContaining({ id: 1, error: expect.anything() })]);
  });

  it('does not wait for ever for a version that is never ready', async () => {
    const pipe = new Pipe();
    pipe.input.end(`${request(1, 'initialize')}\n`);
    pipe.build('mute');
    await until(() => pipe.running.length === 1);
    await pipe.clock.advance(60_000);
    await until(() => pipe.hasHungUp);
  });

  it('does not wait for a call that never ends', async () => {
    const pipe = new Pipe();
    pipe.build('stubborn');
    await pipe.ready(1);
    pipe.input.end(`${request(1, 'never')}\n`);
    await until(() => pipe.hasLeft);
    await pipe.clock.advance(3000);
    await until(() => pipe.hasHungUp);
    expect(pipe.said).toHaveLength(1);
  });
});

describe('a restart', () => {
  it('makes every subscription again, in order, and tells of those that are refused', async () => {
    const pipe = new Pipe();
    await pipe.open();
    for (const [id, uri] of ['x://1', 'x://gone', 'x://3'].entries())
      await pipe.ask(id + 1, 'resources/subscribe', { uri });
    pipe.build();
    await pipe.ready(2);
    const told = (await pipe.ask(9, 'told')).result?.['told'] as string[];
    expect(told.filter((one) => one.startsWith('resources'))).toEqual([
      'resources/subscribe x://1',
      'resources/subscribe x://gone',
      'resources/subscribe x://3',
    ]);
    expect(pipe.said).toContain('The server refused the subscription to x://gone: not so');
    expect(pipe.heard.filter(({ id }) => String(id).startsWith('sigil-dev'))).toEqual([]);
  });

  it('opens the session as it was opened at last, not as it was refused', async () => {
    const pipe = new Pipe();
    pipe.build('one');
    await pipe.ready(1);
    expect(await pipe.ask(1, 'initialize', { bad: true })).toHaveProperty('error');
    await pipe.ask(2, 'initialize');
    pipe.build();
    await pipe.ready(2);
    expect((await pipe.ask(3, 'name')).result).toEqual({ name: 'two' });
  });

  it('does not wait for what was answered in a batch', async () => {
    const pipe = new Pipe();
    await pipe.open();
    pipe.send({ id: 1, method: 'name' }, { id: 2, method: 'name' });
    await pipe.answer(2);
    pipe.build();
    await pipe.ready(2);
    expect(pipe.heard.filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it('does not wait for a process that the server left behind', async () => {
    const pipe = new Pipe();
    await pipe.open();
    await pipe.ask(1, 'leave');
    pipe.build();
    await pipe.ready(2);
  });

  it('lets a call end that asks its client', async () => {
    const pipe = new Pipe();
    await pipe.open();
    pipe.send({ id: 1, method: 'ask' });
    const id = await pipe.question();
    await pipe.replace();
    pipe.send({ id, result: { action: 'accept' } });
    expect((await pipe.answer(1)).result).toEqual({ action: 'accept' });
    expect((await pipe.ask(2, 'name')).result).toEqual({ name: 'two' });
  });

  it('does not wait for a call that is cancelled, and tells the server that runs it', async () => {
    const pipe = new Pipe();
    await pipe.open();
    pipe.send({ id: 1, method: 'never' });
    pipe.send({ id: 2, method: 'ask' });
    const id = await pipe.question();
    pipe.build();
    pipe.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    pipe.send({ id, result: {} });
    await pipe.ready(2);
    expect(pipe.heard.filter((message) => message.id === 1)).toEqual([]);
  });
});

describe('what is held', () => {
  it('loses of a batch only the request that is cancelled', async () => {
    const pipe = new Pipe();
    await pipe.open();
    pipe.send({ id: 1, method: 'never' });
    await pipe.replace();
    pipe.send({ id: 2, method: 'name' }, { id: 3, method: 'name' });
    pipe.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    await pipe.clock.advance(DRAIN);
    expect((await pipe.answer(2)).result).toEqual({ name: 'two' });
    const told = (await pipe.ask(4, 'told')).result?.['told'];
    expect(told).toEqual(['ping', 'initialize', 'notifications/initialized', 'name', 'told']);
  });

  it('loses nothing to a cancellation that names no request', async () => {
    const pipe = new Pipe();
    await pipe.open();
    pipe.send({ id: 1, method: 'never' });
    await pipe.replace();
    pipe.send({ method: 'notifications/roots/list_changed' });
    pipe.send({ method: 'notifications/cancelled', params: {} });
    await pipe.clock.advance(DRAIN);
    const told = (await pipe.ask(4, 'told')).result?.['told'];
    expect(told).toContain('notifications/roots/list_changed');
  });
});

it('an answer that comes in a batch reaches the question of the server', async () => {
  const pipe = new Pipe();
  await pipe.open();
  pipe.send({ id: 1, method: 'ask' });
  pipe.send({ id: await pipe.question(), result: { action: 'decline' } }, { id: 2, method: 'name' });
  expect((await pipe.answer(1)).result).toEqual({ action: 'decline' });
  expect((await pipe.answer(2)).result).toEqual({ name: 'one' });
});

it('a server that dies while the session is opened there leaves the last one, which answers on', async () => {
  const pipe = new Pipe();
  await pipe.open();
  pipe.build('dying');
  await until(() => pipe.said.at(-1) === 'Version 1 keeps serving.');
  expect(pipe.said.join('\n')).toContain('exit code 3');
  expect(await pipe.ask(5, 'name')).toMatchObject({ result: { name: 'one' } });
  pipe.build('two');
  await pipe.ready(2);
  expect(await pipe.ask(6, 'name')).toMatchObject({ result: { name: 'two' } });
});

it('a server that needs a port of the last one starts when that has ended', async () => {
  const pipe = new Pipe(await freePort());
  await pipe.open();
  pipe.build('needy');
  await pipe.ready(2);
  pipe.build('needy');
  await pipe.ready(3);
  expect(pipe.said).toContain('The new version needs a port that version 2 uses: version 2 ends first.');
  expect(await pipe.ask(5, 'name')).toMatchObject({ result: { name: 'needy' } });
});
