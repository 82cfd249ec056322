/** Opens a store of tasks, and prints its error or what the file has: `node open.mjs FILE`. */
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';

try {
  const store = sqliteTasks(process.argv[2]);
  await store.open('weather');
  process.stdout.write(JSON.stringify({ count: await store.count() }));
  store.close();
} catch ({ code, message }) {
  process.stdout.write(JSON.stringify({ code, message }));
}
