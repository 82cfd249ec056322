/** The server that is judged: apps/everything over HTTP, as a process on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../apps/everything/dist/main.js', import.meta.url));

/**
 * Starts it, with `--http` for Fastify or `--fetch` for a fetch handler. Returns the URL of its endpoint, under the name `localhost` as the suite wants it, and `stop`, which
 * throws if the server does not end cleanly.
 */
export async function startEverything(adapter = '--http') {
  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1' };
  const child = spawn(process.execPath, [program, adapter], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const port = await Promise.race([portOf(child), exited.then(([code]) => Promise.reject(startFailure(code)))]);
  return {
    url: `http://localhost:${port}/mcp`,
    async stop() {
      child.kill('SIGTERM');
      const [code, signal] = await exited;
      if (code !== 0) throw new Error(`apps/everything ended with ${signal ?? `exit code ${code}`} after SIGTERM.`);
    },
  };
}

/** The server logs one JSON object per line, and where it listens when it is ready. */
function portOf({ stderr }) {
  return new Promise((resolve) => {
    createInterface({ input: stderr }).on('line', (line) => {
      const found = /"url":"([^"]+)"/.exec(line);
      if (found) resolve(new URL(found[1]).port);
    });
  });
}

function startFailure(code) {
  return new Error(`${join('apps', 'everything')} did not start (exit code ${code}): run \`npm run build\` first.`);
}
