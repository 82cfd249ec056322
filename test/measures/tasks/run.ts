/**
 * `npm run tasks`: what 10,000 tasks that wait for an answer cost, in memory and in Redis, with all handlers in the memory of the process and
 * with the default, which ends those beyond the first thousand. `npm run tasks 2000` measures another number, and `npm run tasks kept` whether
 * a process with little memory outlives clients with large answers.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RedisServer } from '../../support/supplies/redis-server';
import { measureKept } from './kept';

const root = join(__dirname, '..', '..', '..');
const run = promisify(execFile);
const register = join(root, 'node_modules', 'esbuild-register', 'register.js');
const [count = '10000', seconds = '300'] = process.argv.slice(2);

async function main(): Promise<void> {
  const redis = await RedisServer.start();
  try {
    for (const store of ['memory', redis.url])
      for (const waiting of ['Infinity', '1000']) {
        const words = ['--expose-gc', '--require', register, `${__dirname}/measure.ts`, count, store, waiting];
        const { stdout } = await run(process.execPath, words);
        process.stdout.write(`${store === 'memory' ? store : 'Redis'}, waiting: ${waiting}: ${stdout}`);
      }
  } finally {
    await redis.stop();
  }
}

if (count === 'kept') void measureKept(Number(seconds), register).then((code) => process.exit(code));
else void main();
