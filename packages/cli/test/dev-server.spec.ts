/** Changes of sources that arrive while a server is being replaced. */
import type { ChildServer } from '../src/dev/child-server';
import { DevServer } from '../src/dev/dev-server';
import type { Holder } from '../src/dev/holder';
import { stylesFor } from '../src/terminal/styles';

/** Has no clients, and records its orders; a server starts, or fails to start, when a test says so. */
class Notes implements Pick<Holder, keyof Holder> {
  readonly told: string[] = [];
  pending: { succeed(): void; fail(): void } = { succeed: () => undefined, fail: () => undefined };

  hold(): void {
    this.told.push('hold');
  }
  release(): void {
    this.told.push('release');
  }
  refuse(why: string): void {
    this.told.push(`refuse: ${why}`);
  }
  start(program: string): Promise<ChildServer> {
    this.told.push(`start ${program}`);
    return new Promise((resolve, reject) => {
      // This holder does not look at the server that it passes on.
      this.pending = { succeed: () => resolve({} as ChildServer), fail: () => reject(new Error('No such module')) };
    });
  }
  replace(): Promise<readonly string[]> {
    this.told.push('replace');
    return Promise.resolve([]);
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const TYPE_ERROR = { headline: 'src/a.ts:1:1 TS2322', text: 'TS2322', problems: [] };

function develop(): { holder: Notes; dev: DevServer; said: string[]; heard: string[] } {
  const holder = new Notes();
  const styles = stylesFor({}, {});
  const [said, heard]: [string[], string[]] = [[], []];
  const say = (line: string): void => void said.push(line);
  const listener = {
    building: () => void heard.push('building'),
    ready: (version: number) => void heard.push(`ready ${version}`),
    failed: (stage: string, _cause: object, serving: number | undefined) => void heard.push(`${stage} ${serving}`),
  };
  const dev = new DevServer({ holder, folder: '/', patience: 10, say, styles, address: undefined, listener });
  return { holder, said, heard, dev };
}

async function serve({ holder, dev }: { holder: Notes; dev: DevServer }): Promise<void> {
  dev.changed();
  dev.built('one.js');
  await turn();
  holder.pending.succeed();
  await turn();
  holder.told.length = 0;
}

it('a source that does not compile while a server starts refuses no request: the last good server answers until the next one is ready', async () => {
  const { holder, dev, said } = develop();
  await serve({ holder, dev });
  // The same file is written once more, as watchers see it under load, and then one that is broken.
  dev.changed();
  dev.built('one.js');
  await turn();
  dev.changed();
  dev.failed(TYPE_ERROR);
  await turn();
  expect(holder.told).toEqual(['start one.js']);
  holder.pending.succeed();
  await turn();
  expect(holder.told).toEqual(['start one.js', 'hold', 'replace', 'release']);
  expect(said.at(-1)).toBe('Version 2 keeps serving.');
  await dev.close();
});

it('a page still sees the mistake when an older version becomes ready after it, and not after the next change', async () => {
  const { holder, dev, heard } = develop();
  await serve({ holder, dev });
  dev.changed();
  dev.built('one.js');
  await turn();
  dev.changed();
  dev.failed(TYPE_ERROR);
  holder.pending.succeed();
  await turn();
  expect(heard.slice(-3)).toEqual(['compile 1', 'ready 2', 'compile 2']);
  dev.changed();
  dev.built('one.js');
  await turn();
  holder.pending.succeed();
  await turn();
  expect(heard.slice(-2)).toEqual(['building', 'ready 3']);
});

it('a server that does not start leaves the last good one, and requests do not wait for it', async () => {
  const { holder, dev, said } = develop();
  await serve({ holder, dev });
  dev.changed();
  dev.built('one.js');
  await turn();
  holder.pending.fail();
  await turn();
  expect(holder.told).toEqual(['start one.js', 'release']);
  expect(said.join('\n')).toContain('No such module');
  expect(said.at(-1)).toBe('Version 1 keeps serving.');
  await dev.close();
});

it('clients receive an error only if there never was a good server, and it names the cause', async () => {
  const { holder, dev } = develop();
  dev.changed();
  dev.failed(TYPE_ERROR);
  await turn();
  expect(holder.told.at(-1)).toBe('refuse: The server does not compile. src/a.ts:1:1 TS2322');
  dev.changed();
  dev.built('one.js');
  await turn();
  holder.pending.fail();
  await turn();
  expect(holder.told.at(-1)).toBe('refuse: The server does not start. No such module');
  await dev.close();
});

it('of several changes that wait for a start, only the last one is started', async () => {
  const { holder, dev } = develop();
  await serve({ holder, dev });
  for (const program of ['one.js', 'two.js', 'three.js', 'four.js']) {
    dev.changed();
    dev.built(program);
    if (program === 'one.js') await turn();
  }
  holder.pending.succeed();
  await turn();
  expect(holder.told.filter((order) => order.startsWith('start'))).toEqual(['start one.js', 'start four.js']);
  holder.pending.succeed();
  await turn();
  await dev.close();
});
