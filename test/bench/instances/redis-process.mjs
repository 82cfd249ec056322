/** A Redis for a measurement, on the core of the load. */
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';

/** @returns undefined where there is none on this machine */
export async function startRedis() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('redis-server has ended.')));
    child.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
  });
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
