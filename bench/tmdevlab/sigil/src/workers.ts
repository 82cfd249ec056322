/** Several processes that share a port: one that dies is replaced, and all of them end with the first one. */
import cluster from 'node:cluster';

export function startWorkers(count: number): void {
  const listening = new WeakSet();
  let isEnding = false;
  for (let started = 0; started < count; started += 1) cluster.fork();
  cluster.on('listening', (worker) => listening.add(worker));
  cluster.on('exit', (worker, code) => {
    // A worker that could not start would fail again.
    if (!isEnding && listening.has(worker)) cluster.fork();
    else if (code !== 0) process.exitCode = code;
  });
  const end = (): void => {
    isEnding = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  process.once('SIGTERM', end).once('SIGINT', end);
}
