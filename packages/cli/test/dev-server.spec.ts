/** Changes of sources that come while a server is being exchanged for another. */
import { DevServer } from '../src/dev/dev-server';
import type { Holder } from '../src/dev/holder';
import { stylesFor } from '../src/terminal/styles';

/** Keeps nobody, and writes down what it is told; a server starts when a test says so. */
class Notes implements Holder {
  readonly told: string[] = [];
  start: () => void = () => undefined;

  hold(): void {
    this.told.push('hold');
  }
  release(): void {
    this.told.push('release');
  }
  refuse(why: string): void {
    this.told.push(`refuse: ${why}`);
  }
  drain(): Promise<void> {
    return Promise.resolve();
  }
  detach(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
  attach(program: string): Promise<{ remarks: readonly string[] }> {
    this.told.push(`attach ${program}`);
    return new Promise((resolve) => (this.start = () => resolve({ remarks: [] })));
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

it('a source that does not compile while a server starts refuses nobody: that server is the last that compiled', async () => {
  const holder = new Notes();
  const styles = stylesFor({ isTTY: false });
  const dev = new DevServer({ holder, patience: 10, say: () => undefined, styles, address: undefined });
  dev.changed();
  dev.built('one.js');
  await turn();
  holder.start();
  await turn();
  // The same file is written once more, as watchers see it under load, and then one that is broken.
  dev.changed();
  dev.built('one.js');
  await turn();
  dev.changed();
  dev.failed('TS2322');
  await turn();
  expect(holder.told.filter((word) => word.startsWith('refuse'))).toEqual([]);
  holder.start();
  await turn();
  expect(holder.told.at(-1)).toBe('release');
  await dev.close();
});
