/** Why a port cannot be used, and one that can. */
import { codeOf, reasonOf } from '../failure';
import { freePortAfter } from './free-port';
import { findPortOwner } from './port-owner';

/** The parameters of SIGIL_DEV_PORT. @param error of the system */
export async function explainPort(
  error: unknown,
  port: number,
  host: string,
): Promise<{ readonly reason: string; readonly free: number }> {
  const free = await freePortAfter(port, host).catch(() => freePortAfter(port, '127.0.0.1'));
  if (codeOf(error) !== 'EADDRINUSE') return { reason: reasonOf(error), free };
  const owner = await findPortOwner(port);
  return { reason: owner ? `${owner.name} (process ${owner.pid}) uses it` : 'another process uses it', free };
}
