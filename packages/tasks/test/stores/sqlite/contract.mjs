/** The contract of stores with node:sqlite, in the test runner of Node. Two stores have one file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';
import { describeTaskStore } from '@sigil-mcp/tasks/testing';

describeTaskStore(
  'the store of tasks in node:sqlite',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-tasks-'));
    const file = join(folder, 'tasks.db');
    const close = () => rmSync(folder, { recursive: true });
    return { store: sqliteTasks(file), another: sqliteTasks(file), close };
  },
  { describe, it },
);
