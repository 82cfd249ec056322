/**
 * `npm run tasks kept`: three clients without a token answer the questions of tasks with millions of letters of two bytes, for five minutes,
 * and the process with `--max-old-space-size=512` has to live. `npm run tasks kept 60` does it for 60 seconds. Exit code 1 if it ends.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TASKS } from '@sigil-mcp/tasks';
import { ALONE_META, type Message } from '../../support/transcript';
import { headersOf } from '../../endurance/faults/fault';

/** Megabytes of heap, tasks that a client has open by default, and letters of an answer: 3.8 MB on the wire, which one message may have. */
const [HEAP, TASKS_PER_CLIENT, LETTERS] = [512, 100, 1_900_000];
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const META = {
  ...ALONE_META,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, extensions: { [TASKS]: {} } },
};

interface Held {
  readonly rss: number;
  readonly heapUsed: number;
  readonly bytes: number;
  readonly unended: number;
}

interface Reply {
  readonly result?: { readonly taskId?: string; readonly status?: string };
  readonly error?: { readonly message: string };
}

/** One client, by its address. */
class Glutton {
  readonly counts = { opened: 0, taken: 0, refused: 0, ended: 0 };
  readonly words = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true });
  #id = 0;

  constructor(
    private readonly port: number,
    private readonly address: string,
  ) {}

  /** Opens all the tasks that it may, answers both questions of each, and gives its tasks up. */
  async round(isOver: () => boolean): Promise<void> {
    const open: string[] = [];
    while (open.length < TASKS_PER_CLIENT && !isOver()) {
      const { result } = await this.#send('tools/call', { name: 'wizard', arguments: {} });
      if (!result?.taskId) break;
      open.push(result.taskId);
      this.counts.opened += 1;
    }
    for (const key of ['one', 'two'])
      for (const taskId of open) {
        if (isOver()) return;
        await this.#answer(taskId, key);
      }
    for (const taskId of open) await this.#send('tasks/cancel', { taskId });
  }

  async #answer(taskId: string, key: string): Promise<void> {
    const content = { text: 'я'.repeat(LETTERS) };
    const { error } = await this.#send('tasks/update', {
      taskId,
      inputResponses: { [key]: { action: 'accept', content } },
    });
    if (error) {
      this.counts.refused += 1;
      this.words.add(error.message);
    } else this.counts.taken += 1;
  }

  #send(method: string, params: object): Promise<Reply> {
    const message: Message = { jsonrpc: '2.0', id: ++this.#id, method, params: { ...params, _meta: META } };
    const { name, taskId } = params as { name?: string; taskId?: string };
    const headers = { ...headersOf(message), 'mcp-name': name ?? taskId ?? '' };
    const options = { host: this.address, port: this.port, path: '/mcp', method: 'POST', agent: this.#agent };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, localAddress: this.address, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(JSON.parse(text) as Reply));
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(message));
    });
  }
}

async function heldBy(server: ChildProcess): Promise<Held> {
  const told = once(server, 'message');
  server.send('memory');
  return ((await told) as [Held])[0];
}

/** @returns the exit code */
export async function measureKept(seconds: number, register: string): Promise<number> {
  const execArgv = [`--max-old-space-size=${HEAP}`, '--require', register];
  const server = fork(`${__dirname}/kept-server.ts`, { execArgv });
  const ended = once(server, 'exit');
  let isOver = false;
  void ended.then(() => (isOver = true));
  const [port] = (await once(server, 'message')) as [number];
  const clients = ADDRESSES.map((address) => new Glutton(port, address));
  const end = performance.now() + seconds * 1000;
  const over = (): boolean => isOver || performance.now() > end;
  const work = clients.map(async (client) => {
    while (!over()) await client.round(over).catch(() => undefined);
  });
  const most = { rss: 0, heapUsed: 0, bytes: 0 };
  while (!over()) {
    const held = await Promise.race([heldBy(server), ended.then(() => undefined)]);
    if (held) for (const name of ['rss', 'heapUsed', 'bytes'] as const) most[name] = Math.max(most[name], held[name]);
    await sleep(250);
  }
  const lives = !isOver;
  await Promise.all(work);
  server.kill('SIGKILL');
  const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  const sum = (name: keyof Glutton['counts']): number => clients.reduce((all, { counts }) => all + counts[name], 0);
  process.stdout.write(
    [
      `${lives ? 'The process lives' : 'THE PROCESS HAS ENDED'} after ${seconds} s of ${ADDRESSES.length} clients, with a heap of ${HEAP} MB`,
      `${sum('opened')} tasks, ${sum('taken')} answers of ${LETTERS} letters taken, ${sum('refused')} refused`,
      `at most ${mib(most.bytes)} kept, ${mib(most.heapUsed)} of heap, ${mib(most.rss)} RSS`,
      ...new Set(clients.flatMap(({ words }) => [...words])),
      '',
    ].join('\n'),
  );
  return lives ? 0 : 1;
}
