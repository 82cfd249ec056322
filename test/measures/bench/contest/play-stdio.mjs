/** Calls over stdio, in both conversations. */
import { OVER_STDIO, wordsOf } from './contestants.mjs';
import { playRounds, warmUp } from './rounds.mjs';
import { StdioClient } from './stdio-client.mjs';
import { HANDSHAKE, IN_FLIGHT, STDIO_WAYS } from './ways.mjs';

/** @returns each conversation with the figures of all contestants */
export async function playStdio({ rounds, seconds }) {
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
