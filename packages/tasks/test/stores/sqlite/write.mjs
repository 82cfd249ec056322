/** Creates and replaces tasks until it is killed, and prints each change that was acknowledged: `node write.mjs FILE`. */
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';

const room = { tasks: 1e6, tasksPerHolder: 1e6, bytesPerHolder: 1e9, bytes: 1e9 };
const store = sqliteTasks(process.argv[2]);
await store.open('weather');
for (;;) {
  const task = { version: 1, holder: 'h', dueAt: 0, isEnded: false, text: 'x'.repeat(2000) };
  const id = randomBytes(16).toString('base64url');
  await store.create({ ...task, id }, room);
  // At once, so that nothing is in a buffer when the process is killed.
  writeSync(1, `${id} 1\n`);
  for (let version = 2; version < 5; version++)
    if (await store.replace({ ...task, id, version, isEnded: version === 4 })) writeSync(1, `${id} ${version}\n`);
}
