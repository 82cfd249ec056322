/** Coming back for a stream, to whichever process there is. */
import { setTimeout as delay } from 'node:timers/promises';
import type { InSession } from './in-session';
import { reasonOf } from './send';
import type { StreamRecord } from './stream-record';

/** Before a client comes back, milliseconds. */
const PAUSE = 50;

/**
 * Opens a stream from where its record ends, or from its beginning; tries again while that cannot be done.
 * @returns the response; undefined where the session is over, the stream is kept no more, or the signal has fired
 */
export async function resume(
  client: InSession,
  record: StreamRecord,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const since = client.world.timeline.now;
  while (client.isOpen && !signal.aborted) {
    await delay(PAUSE);
    const headers: Record<string, string> = record.last === undefined ? {} : { 'last-event-id': record.last };
    const arrival = await client.sendInSession({ method: 'GET', headers, signal });
    if (arrival.kind !== 'response') continue;
    const { response, lane } = arrival;
    if (response.status === 200) {
      note(client, record, lane);
      return response;
    }
    const text = await response.text().catch(reasonOf);
    if (client.isLost(response)) return undefined;
    if (!mayTryAgain(client, response.status, since)) {
      refuse(client, record, `${response.status} ${text}`);
      return undefined;
    }
  }
  return undefined;
}

/** 409: the connection before is not known to be broken yet. 503: Redis is away. */
function mayTryAgain({ world }: InSession, status: number, since: number): boolean {
  return status === 409 || (status === 503 && world.timeline.redisAway(since));
}

function note({ world }: InSession, record: StreamRecord, lane: number): void {
  const { ledger, timeline } = world;
  const before = record.lanes.at(-1);
  record.lanes.push(lane);
  if (before === undefined) return;
  ledger.count('streams resumed');
  if (before !== lane) ledger.count('streams resumed at another process');
  timeline.resumptions.push({ from: before, to: lane, brokenAt: record.brokenAt, resumedAt: timeline.now });
}

function refuse({ world, name }: InSession, record: StreamRecord, how: string): void {
  const isExcused = world.timeline.emptied(record.brokenAt - world.patience);
  if (!isExcused) world.ledger.break('gaps on a stream', `${name} came back after ${record.last}: ${how}`);
}
