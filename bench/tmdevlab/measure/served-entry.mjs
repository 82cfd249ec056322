/** A server under measurement: a process of its own on the first core, until it is stopped. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeOnCore } from '../../../test/measures/bench/http/server-process.mjs';

const PATIENCE = 30_000;

/**
 * Starts an entry.
 * @param {object} entry of `entries.mjs`
 * @param {Record<string, string>} env where its services are
 * @param {string[]} flags for Node
 * @returns its port and its process, and what stops it; it ends by itself at a signal if it can, so that a profile is written
 */
export async function startEntry(entry, env, flags = []) {
  const port = entry.port ?? (await freePort());
  const child = nodeOnCore(0, [...flags, ...(entry.flags ?? []), entry.program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env, NODE_ENV: 'production', ...entry.env, PORT: String(port) },
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (words += text));
  const ended = once(child, 'exit');
  const stop = async (signal = 'SIGKILL') => {
    if (child.exitCode === null) child.kill(signal);
    await ended;
  };
  for (const until = Date.now() + PATIENCE; Date.now() < until; await pause(20)) {
    if (child.exitCode !== null) break;
    if (await isHealthy(port)) return { port, pid: child.pid, stop };
  }
  await stop();
  throw new Error(`${entry.name} did not start: ${words}`);
}

async function isHealthy(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  } catch {
    return false;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
