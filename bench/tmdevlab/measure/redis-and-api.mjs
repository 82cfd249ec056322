/** Redis and the API service, on the core of the load. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startRedisServer } from '../../../test/measures/bench/redis-server.mjs';
import { Redis } from 'ioredis';

const [CARTS, HISTORIES, PRODUCTS, COUNTERS] = [10_000, 1_000, 100_000, 100];

const ORDERS = 20;

const FIRST_DAY = 1_740_000_000;

const BATCH = 5_000;

const user = (number) => `user-${String(number).padStart(5, '0')}`;

const productOf = (number) => (number % PRODUCTS) + 1;

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

function* commands() {
  for (let number = 1; number <= CARTS; number += 1) yield cart(number);
  for (let number = 1; number <= HISTORIES; number += 1) yield history(number);
  for (let first = 1; first <= PRODUCTS; first += 1000) {
    const ids = Array.from({ length: 1000 }, (_, index) => first + index);
    yield ['zadd', 'bench:popular', ...ids.flatMap((id) => [(id * 7) % 10_000, `product:${id}`])];
  }
  for (let number = 1; number <= COUNTERS; number += 1) yield ['set', `bench:ratelimit:${user(number)}`, 0];
}

function cart(number) {
  const items = [
    { product_id: productOf(number * 7), qty: 1 + (number % 3) },
    { product_id: productOf(number * 13), qty: 1 + (number % 2) },
    ...(number % 3 === 0 ? [{ product_id: productOf(number * 17), qty: 1 }] : []),
  ];
  const total = items.reduce((sum, { product_id: id, qty }) => sum + (qty * (((id * 100) % 9_999) + 1)) / 100, 0);
  const fields = { user_id: user(number), items: JSON.stringify(items), total: total.toFixed(2) };
  const times = { created: FIRST_DAY, expires: FIRST_DAY + 86_400 };
  return ['hset', `bench:cart:${user(number)}`, ...Object.entries({ ...fields, ...times }).flat()];
}

function history(number) {
  const orders = Array.from({ length: ORDERS }, (_, index) => ({
    order_id: `ORD-${String(number).padStart(5, '0')}-${String(index + 1).padStart(2, '0')}`,
    product_id: productOf(number * (index + 1) * 7),
    qty: 1 + ((index + 1) % 3),
    price: (((number * (index + 1) * 13) % 9_999) + 1) / 100,
    ts: FIRST_DAY + number * 86_400 + (index + 1) * 3_600,
  }));
  return ['rpush', `bench:history:${user(number)}`, ...orders.map((order) => JSON.stringify(order))];
}

/** Empties the database, and fills it. */
async function seedRedis(url) {
  const redis = new Redis(url);
  await redis.flushdb();
  let batch = [];
  for (const command of commands()) {
    batch.push(command);
    if (batch.length < BATCH) continue;
    await redis.pipeline(batch).exec();
    batch = [];
  }
  await redis.pipeline(batch).exec();
  await redis.quit();
}
