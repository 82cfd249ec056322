/** Redis and the API service, on the core of the load. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startRedisServer } from '../../../test/measures/bench/redis-server.mjs';
import { seedRedis } from '../backends/seed-redis.mjs';

const API = fileURLToPath(new URL('../backends/api-service.mjs', import.meta.url));

/** @returns the variables that servers find them with, and what stops them */
export async function startServices() {
  const redis = await startRedisServer();
  if (!redis) throw new Error('This needs redis-server: install Redis 6.2 or newer, and try again.');
  await seedRedis(redis.url);
  const api = spawn(process.execPath, [API], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(api.stdout.setEncoding('utf8'), 'data');
  const stop = async () => {
    api.kill('SIGKILL');
    await Promise.all([once(api, 'exit'), redis.stop()]);
  };
  return { env: { REDIS_URL: redis.url, API_SERVICE_URL: `http://127.0.0.1:${Number(port)}` }, stop };
}
