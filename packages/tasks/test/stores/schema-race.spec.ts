/** Two processes that open one new file: each moment at which the other one has made the tables is as good as any. */
import type { SqliteConnection } from '../../src/stores/sqlite/database';
import { prepareSchema } from '../../src/stores/sqlite/schema';

it.each([0, 1, 2, 3, 4, 5, 6])('finds the tables that another process made before question %d', (moment) => {
  let asked = 0;
  let isMade = false;
  const ask = <T>(answer: () => T): T => {
    if (asked++ === moment) isMade = true;
    return answer();
  };
  const connection = {
    all: () => ask(() => (isMade ? ['server', 'tasks', 'changes'].map((name) => ({ name })) : [])),
    first: (sql: string) =>
      ask(() =>
        sql.startsWith('PRAGMA') ? { user_version: isMade ? 1 : 0 } : isMade ? { name: 'weather' } : undefined,
      ),
    execute: (sql: string) => void (isMade ||= sql.includes('CREATE TABLE')),
    run: () => undefined,
    transaction: (work: () => void) => work(),
  };
  expect(() => prepareSchema(connection as unknown as SqliteConnection, 'tasks.db', 'weather')).not.toThrow();
  expect(isMade).toBe(true);
});
