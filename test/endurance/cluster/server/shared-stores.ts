/** The stores that the processes of the cluster share, where there is a Redis. */
import { createClient } from '@redis/client';
import type { Stores } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import { defectiveStores } from './defective-stores';
import { hasDefect } from './defect';
import { DEADLINE_VARIABLE, DEAD_AFTER, KEPT_FOR, NAMESPACE, PATIENT } from './settings';

/** Opens the stores; undefined where each process is on its own. */
export async function openStores(url: string | undefined): Promise<Stores | undefined> {
  if (url === undefined) return undefined;
  const client = createClient({ url, socket: { reconnectStrategy: 100 } });
  // It comes back by itself; what could not be done meanwhile says so.
  client.on('error', () => undefined);
  await client.connect();
  if (hasDefect('left-keys')) await client.set(`${NAMESPACE}:{left}:s`, 'for ever');
  const patience = process.env[DEADLINE_VARIABLE] === undefined ? {} : { commandTimeout: PATIENT };
  const streams = { keepFor: KEPT_FOR };
  const stores = redis({ client, namespace: NAMESPACE, deadAfter: DEAD_AFTER, streams, ...patience });
  return defectiveStores(stores);
}
