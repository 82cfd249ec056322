/** Values that several servers have: opened with the first of them and closed after the last, whatever the order of starts and stops. */
import { audit } from '@sigil-mcp/audit';
import { recordCalls } from '@sigil-mcp/contract/recording';
import { createServer, type Server, type ServerOptions } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { MemoryRestStore, resultBudgets } from '@sigil-mcp/results';
import { MemoryTaskStore, tasks } from '@sigil-mcp/tasks';
import fc from 'fast-check';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runs } from '../../support/matrix';
import { turn } from '../../support/turn';

/** What became of a value: each opening and closing, when it begins and when it has ended. */
class Log {
  readonly lines: string[] = [];
  isOpen = false;

  /** @param turns of the event loop that it takes */
  async opens(turns: number): Promise<void> {
    this.lines.push('opens');
    for (let left = turns; left > 0; left -= 1) await turn();
    this.lines.push('open');
    this.isOpen = true;
  }

  async closes(turns: number): Promise<void> {
    this.isOpen = false;
    this.lines.push('closes');
    for (let left = turns; left > 0; left -= 1) await turn();
    this.lines.push('closed');
  }
}

/** A store that opens and closes slowly. */
const slow = <T extends object>(store: T, log: Log, turns: number): T =>
  Object.assign(store, { open: () => log.opens(turns), close: () => log.closes(turns) });

/** A value that opens and closes slowly, as options of every server that has it. */
const VALUES: Readonly<Record<string, (log: Log, turns: number) => Partial<ServerOptions>>> = {
  'tasks()': (log, turns) => ({ extensions: [tasks({ store: slow(new MemoryTaskStore(), log, turns) })] }),
  'the store of two tasks()': (log, turns) => {
    const store = slow(new MemoryTaskStore(), log, turns);
    return {
      get extensions() {
        return [tasks({ store })];
      },
    };
  },
  'resultBudgets()': (log, turns) => ({
    extensions: [resultBudgets({ store: slow(new MemoryRestStore(), log, turns) })],
  }),
  'audit()': (log, turns) => {
    const sink = {
      open: (): Promise<void> => log.opens(turns),
      write: () => undefined,
      close: (): Promise<void> => log.closes(turns),
    };
    return { observers: [audit({ sink, secret: 'a secret of thirty-two characters or more' })] };
  },
};

const start = async (options: Partial<ServerOptions>): Promise<Server> => {
  const server = createServer({ name: 's', version: '1', logger: false, ...options });
  await server.listen({ open: () => Promise.resolve(), close: () => Promise.resolve() });
  return server;
};

/** Starts or stops one of two servers, and waits for it or goes on at once. */
const STEPS = fc.array(fc.record({ who: fc.nat(1), waits: fc.boolean() }), { minLength: 1, maxLength: 12 });

describe.each(Object.entries(VALUES))('%s of two servers', (_name, valueOf) => {
  it('is open while one of them runs, opens and closes in turns, and is closed after the last', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, fc.nat(3), async (steps, turns) => {
        const log = new Log();
        const options = valueOf(log, turns);
        const running: (Promise<Server> | undefined)[] = [undefined, undefined];
        const over: Promise<unknown>[] = [];
        for (const { who, waits } of steps) {
          const server = running[who];
          if (server) {
            running[who] = undefined;
            const stopping = server.then((one) => one.close());
            over.push(stopping);
            if (waits) await stopping;
          } else {
            const starting = start(options);
            running[who] = starting;
            over.push(starting);
            if (!waits) continue;
            await starting;
            expect(log.isOpen).toBe(true);
          }
        }
        for (const server of running) if (server) over.push(server.then((one) => one.close()));
        await Promise.all(over);
        const openings = log.lines.filter((line) => line === 'opens').length;
        expect(log.lines).toEqual(Array.from({ length: openings }, () => ['opens', 'open', 'closes', 'closed']).flat());
      }),
      { numRuns: runs(400) },
    );
  });

  it('opens again for the next server when its opening has failed', async () => {
    const log = new Log();
    const opens = log.opens.bind(log);
    let failures = 1;
    log.opens = (turns) => (failures-- > 0 ? Promise.reject(new Error('not yet')) : opens(turns));
    const options = valueOf(log, 1);
    await expect(start(options)).rejects.toThrow('not yet');
    const server = await start(options);
    await server.close();
    expect(log.lines).toEqual(['opens', 'open', 'closes', 'closed']);
  });
});

it.each<[string, () => Partial<ServerOptions>]>([
  [
    'tasks',
    () => {
      const store = new MemoryTaskStore();
      return { extensions: [tasks({ store })] };
    },
  ],
  [
    'results',
    () => {
      const store = new MemoryRestStore();
      return { extensions: [resultBudgets({ store })] };
    },
  ],
])(
  'a store of %s is not opened for a server of another name, and serves the first one on',
  async (_what, optionsOf) => {
    const options = optionsOf();
    const first = await start(options);
    await expect(start({ ...options, name: 'other' })).rejects.toMatchObject({ code: 'SIGIL_STORE_SHARED' });
    await (await start(options)).close();
    await first.close();
    // Nobody uses it any more.
    await (await start({ ...options, name: 'other' })).close();
  },
);

it('stores of two servers are closed once, after the last of them', async () => {
  const stores = new MemoryStores();
  const closed = jest.spyOn(stores, 'close');
  const [first, second] = await Promise.all([start({ stores }), start({ stores })]);
  await first.close();
  expect(closed).not.toHaveBeenCalled();
  await second.close();
  expect(closed).toHaveBeenCalledTimes(1);
});

it('calls of two servers are recorded in one file, until the last of them has stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-recorded-'));
  const to = join(folder, 'calls.jsonl');
  const observers = [recordCalls({ to })];
  const [first, second] = await Promise.all([start({ observers }), start({ observers })]);
  await first.close();
  await second.close();
  expect([existsSync(to), existsSync(to) && readFileSync(to, 'utf8')]).toEqual([true, '']);
  rmSync(folder, { recursive: true });
});

it('records of a server that starts while another one stops are complete, and in the order of the two', async () => {
  const kinds: string[] = [];
  const sink = {
    write: async (lines: readonly string[]): Promise<void> => {
      await turn();
      kinds.push(...lines.map((line) => (JSON.parse(line) as { kind: string }).kind));
    },
    close: async (): Promise<void> => {
      await turn();
      kinds.push('closed');
    },
  };
  const observers = [audit({ sink, secret: 'a secret of thirty-two characters or more' })];
  const first = await start({ observers });
  const stopping = first.close();
  await turn();
  const second = await start({ observers });
  await stopping;
  await second.close();
  expect(kinds).toEqual(['started', 'stopped', 'closed', 'started', 'stopped', 'closed']);
});
