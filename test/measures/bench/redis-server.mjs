/** A Redis for a measurement: a process of its own, which keeps nothing on disk. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';

/** @returns undefined where there is none on this machine */
export async function startRedisServer() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('redis-server has ended.')));
    child.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
