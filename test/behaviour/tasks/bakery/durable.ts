/** A bakery whose tasks are in a file, as a program: `node durable.js FILE MARKS LIBRARY`. What it has done is written to MARKS. */
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { createServer, Feature, McpContext, Tool } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { tasks } from '@sigil-mcp/tasks';
import { sqliteTasks, type SqliteDatabase } from '@sigil-mcp/tasks/sqlite';
import { Approval, Bread } from './bakery';

const [file = '', marks = '', library = ''] = process.argv.slice(2);
const say = (line: string): void => appendFileSync(marks, `${line}\n`);

@Feature()
class NightBakery {
  @Tool('Bakes what the customer approves', { task: 'optional' })
  async approve({ name }: Bread, context: McpContext): Promise<string> {
    await context.once('order', () => say(`ordered ${name}`));
    const { action } = await context.elicit(Approval, `Bake ${name}?`, { key: 'approval' });
    say(`answered ${name}`);
    return `${name}: ${action}`;
  }

  @Tool('Works for ever', { task: 'optional' })
  async forever({ name }: Bread, { signal }: McpContext): Promise<void> {
    say(`began ${name}`);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  @Tool('May work again; the second time it is done', { task: { retry: 1 } })
  async again({ name }: Bread, context: McpContext): Promise<string> {
    const isFirst = await context.once('first', () => process.pid);
    say(`began ${name}`);
    if (isFirst === process.pid) await new Promise(() => undefined);
    return `done by another process`;
  }

  @Tool('Ends the process without a word')
  die(): void {
    process.kill(process.pid, 'SIGKILL');
  }
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the library is where npm run sqlite has put it
const Database = require(library) as new (path: string) => SqliteDatabase;

createServer({
  name: 'bakery',
  version: '1.0.0',
  logger: 'error',
  features: [NightBakery],
  extensions: [tasks({ store: sqliteTasks(new Database(file)), lease: 1000 })],
  requestState: { secrets: ['a secret that outlives every process of this server'] },
})
  .listen(new StdioTransport())
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
