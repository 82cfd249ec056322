/** One process of the cluster: `node main.js`, with `PORT`, `REDIS_URL` and `SIGIL_SECRETS` in its environment. */
import 'reflect-metadata';
import { createServer } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { CallingTools } from './calling-tools';
import { ChangingTools } from './changing-tools';
import { mark } from './marks';
import { ANSWER_TIME, DEADLINE_VARIABLE, IDLE_TIME, RETRY_INTERVAL } from './settings';
import { openStores } from './shared-stores';
import { openTasks } from './shared-tasks';
import { TaskTools } from './task-tools';

process.on('unhandledRejection', (reason) => mark('unhandled', String(reason)));

async function main(): Promise<void> {
  const stores = await openStores(process.env['REDIS_URL']);
  const server = createServer({
    name: 'cluster',
    version: '1.0.0',
    features: [CallingTools, ChangingTools, TaskTools],
    extensions: [await openTasks(process.env['REDIS_URL'])],
    answerTimeout: ANSWER_TIME,
    shutdownDeadline: Number(process.env[DEADLINE_VARIABLE] ?? 2000),
    logger: 'error',
    ...(stores && { stores }),
  });
  const sessions = { idleTime: IDLE_TIME };
  await server.listen(new HttpTransport({ sse: true, sessions, retryInterval: RETRY_INTERVAL }));
  mark('ready');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
