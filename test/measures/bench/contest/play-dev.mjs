/** From a client that starts `sigil dev` for `apps/weather` to the answer to `initialize`. */
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { sigilCommand } from './sigil-command.mjs';
import { StdioClient } from './stdio-client.mjs';

const project = fileURLToPath(new URL('../../../../apps/weather/', import.meta.url));
/** The compiler has threads of its own. */
const ALL_CORES = `0-${cpus().length - 1}`;

/** @returns milliseconds, round by round; the first of a checkout compiles everything */
export async function playDev(rounds) {
  const played = [];
  for (let round = 0; round < rounds; round += 1) played.push({ ready: await start() });
  return played;
}

async function start() {
  const spawned = performance.now();
  const words = [sigilCommand(), 'dev', 'src/main.ts'];
  const how = { core: ALL_CORES, cwd: project, stdio: ['pipe', 'pipe', 'ignore'] };
  const client = new StdioClient(words, how);
  try {
    await client.initialize();
    return performance.now() - spawned;
  } finally {
    await client.end();
  }
}
