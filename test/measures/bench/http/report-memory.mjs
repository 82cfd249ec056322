/** What every server under measurement does besides serving: prints its port, then its figures for each line it reads. */
import { createInterface } from 'node:readline';

/** @param {number} port */
export function reportMemory(port) {
  process.stdout.write(`${port}\n`);
  createInterface({ input: process.stdin }).on('line', (what) => {
    // A collection throws away code that was compiled, which the next calls would have to pay for.
    if (what === 'memory') globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    process.stdout.write(`${JSON.stringify({ heapUsed, rss, cpu: user + system })}\n`);
  });
}
