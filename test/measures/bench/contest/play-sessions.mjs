/** What an open session takes. */
import { FLOOR, OVER_HTTP, SIGIL_PARTS } from './contestants.mjs';
import { HttpConnection, startServer } from './http-connection.mjs';
import { SESSION } from './messages.mjs';

const SESSIONS = 2000;
const WARM_SESSIONS = 50;
const CONNECTIONS = 64;

/**
 * @returns of each contestant KiB for each session: resident memory for the first ones, which is mostly the young generation that V8 takes
 * once; for as many more; and heap
 */
export async function playSessions() {
  const played = [];
  for (const contestant of OVER_HTTP.filter(({ name }) => name !== FLOOR && name !== SIGIL_PARTS))
    played.push(await playContestant(contestant));
  return played;
}

async function playContestant(contestant) {
  const { name, port, process } = await startServer(contestant, { conversation: SESSION, stream: true, tools: 3 });
  try {
    await openSessions(port, WARM_SESSIONS);
    const before = await process.memory();
    await openSessions(port, SESSIONS);
    const first = await process.memoryAsItIs();
    const collected = await process.memory();
    await openSessions(port, SESSIONS);
    const next = await process.memoryAsItIs();
    const after = await process.memory();
    const perSession = (bytes) => bytes / SESSIONS / 1024;
    return {
      name,
      first: perSession(first.rss - before.rss),
      next: perSession(next.rss - first.rss),
      heap: perSession(after.heapUsed - collected.heapUsed),
    };
  } finally {
    await process.stop();
  }
}

/** They stay open; the connections do not. */
async function openSessions(port, count) {
  let left = count;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await HttpConnection.open(port);
      while (left > 0) {
        left -= 1;
        await connection.openSession();
      }
      connection.close();
    }),
  );
}
