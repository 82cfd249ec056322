/** From spawning a process to its first answer. */
import { startersWith, wordsOf } from './contestants.mjs';
import { playDev } from './play-dev.mjs';
import { playRounds } from './rounds.mjs';
import { StdioClient } from './stdio-client.mjs';
import { HANDSHAKE } from './ways.mjs';

const FEW = 3;
const MANY = 1000;

/** @returns the times of all contestants with 3 tools and with 1,000, and those of `sigil dev` */
export async function playStart({ rounds, bundled }) {
  const starts = [];
  for (const tools of [FEW, MANY])
    starts.push({ tools, contestants: await playRounds(startersWith(bundled), rounds, (each) => start(each, tools)) });
  return { starts, dev: await playDev(rounds) };
}

async function start(contestant, tools) {
  const spawned = performance.now();
  const client = new StdioClient(wordsOf(contestant, { tools }));
  try {
    await client.initialize();
    const ready = performance.now() - spawned;
    // What is ready calls its tools.
    await client.load(HANDSHAKE, { inFlight: 1, seconds: 0 });
    return { ready };
  } finally {
    await client.end();
  }
}
