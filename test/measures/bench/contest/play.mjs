/** Plays one part of the contest, on the core of the load, and prints its figures as JSON. `node play.mjs '<json: part, rounds, seconds>'` */
import { playHttp } from './play-http.mjs';
import { STARTED_TOOLS, startersWith, wordsOf, OVER_STDIO } from './contestants.mjs';
import { playDev } from './play-dev.mjs';
import { playRounds, warmUp } from './rounds.mjs';
import { StdioClient } from './stdio-client.mjs';
import { HANDSHAKE, IN_FLIGHT, STDIO_WAYS } from './messages.mjs';

const PARTS = { calls: playStdio, start: playStart, http: playHttp };
const { part, ...how } = JSON.parse(process.argv[2] ?? '{}');
process.stdout.write(JSON.stringify(await PARTS[part](how)));

/** @returns the times of all contestants with 3 tools and with 1,000, and those of `sigil dev` */
async function playStart({ rounds, bundles }) {
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

/** @returns each conversation with the figures of all contestants */
async function playStdio({ rounds, seconds }) {
  const ways = [];
  for (const conversation of STDIO_WAYS) ways.push(await playWay(conversation, { rounds, seconds }));
  return { ways };
}

async function playWay(conversation, { rounds, seconds }) {
  const clients = OVER_STDIO.map((contestant) => ({
    name: contestant.name,
    client: new StdioClient(wordsOf(contestant, { tools: 3 })),
  }));
  const load = ({ client }) => client.load(conversation, { inFlight: IN_FLIGHT, seconds });
  try {
    for (const each of clients) {
      if (conversation === HANDSHAKE) await each.client.initialize();
      await warmUp(() => load(each));
    }
    const contestants = await playRounds(clients, rounds, load);
    return { name: `stdio, ${conversation}, ${IN_FLIGHT} in flight`, contestants };
  } finally {
    await Promise.all(clients.map(({ client }) => client.end()));
  }
}
