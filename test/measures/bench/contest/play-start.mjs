/** From spawning a process to its first answer. */
import { STARTED_TOOLS, startersWith, wordsOf } from './contestants.mjs';
import { playDev } from './play-dev.mjs';
import { playRounds } from './rounds.mjs';
import { StdioClient } from './stdio-client.mjs';
import { HANDSHAKE } from './ways.mjs';

/** @returns the times of all contestants with 3 tools and with 1,000, and those of `sigil dev` */
export async function playStart({ rounds, bundles }) {
  const starts = [];
  for (const tools of STARTED_TOOLS) {
    const contestants = await playRounds(startersWith(bundles, tools), rounds, (each) => start(each, tools));
    starts.push({ tools, contestants });
  }
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
