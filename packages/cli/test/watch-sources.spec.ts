/** The changes after which a command with --watch repeats its work. Time stands still until a test moves it. */
import { once } from 'node:events';
import { watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ManualClock } from '@sigil-mcp/testing';
import { SourceChanges } from '../src/project/watch-sources';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const clock = new ManualClock();
const others = { 'notes.log': '', 'coverage/report.js': '', 'dist/main.js': '' };
const sources = { 'src/notes.ts': '', 'package.json': '{}', '.env': '' };

it('reports sources and settings, and neither other files nor results of other commands', async () => {
  const folder = folders.make({ ...others, ...sources });
  const problems: string[] = [];
  const changes = new SourceChanges(folder, (problem) => problems.push(problem), clock);
  try {
    await changes.ready;
    const next = changes.next();
    for (const file of Object.keys(others)) {
      const own = watch(join(folder, file));
      const changed = once(own, 'change');
      writeFileSync(join(folder, file), 'changed');
      await changed;
      own.close();
    }
    await clock.advance(1000);
    expect(next.aborted).toBe(false);
    for (const file of Object.keys(sources)) {
      const change = changes.next();
      writeFileSync(join(folder, file), 'changed');
      while (!change.aborted) await Promise.all([clock.advance(1000), delay(10)]);
    }
    expect(problems).toEqual([]);
  } finally {
    await changes.close();
  }
});
