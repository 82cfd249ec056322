/** As many processes as the machine has cores, on one port: `REDIS_URL=redis://127.0.0.1:6379 node dist/cluster.js`. */
// #region cluster
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { HttpTransport } from '@sigil-mcp/fastify';
import { openShared } from './open-shared';
import { everything } from './server';

if (cluster.isPrimary) startWorkers();
else void serve();

/** Each connection goes to the next worker; any worker can serve any session. */
function startWorkers(): void {
  // Workers inherit the environment of this process, and all of them need the same secret.
  process.env['SIGIL_SECRETS'] ||= randomBytes(32).toString('hex');
  for (let count = 0; count < availableParallelism(); count++) cluster.fork();
  const listening = new WeakSet();
  let isEnding = false;
  cluster.on('listening', (worker) => {
    listening.add(worker);
    process.stderr.write(`Worker ${worker.process.pid} listens.\n`);
  });
  cluster.on('exit', (worker, code) => {
    // A worker that dies is replaced, but not one that could not start.
    if (!isEnding && listening.has(worker)) cluster.fork();
    else if (code !== 0) process.exitCode = code;
  });
  // Workers receive Ctrl+C themselves; a signal that is sent to this process alone is passed on to them.
  const end = (): void => {
    isEnding = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  process.once('SIGTERM', end).once('SIGINT', end);
}

async function serve(): Promise<void> {
  const shared = await openShared(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
  await everything(shared).listen(new HttpTransport());
}
// #endregion cluster
