/**
 * Observers of a tool that started the program, such as the page of `sigil dev`: it listens on a channel of `node:diagnostics_channel` and adds
 * them to each server that is defined. Costs nothing if nothing listens.
 */
import { channel } from 'node:diagnostics_channel';
import type { Observer } from '../context/observer';
import type { Registry } from '../registry/registry';

/** The channel. The command `sigil dev` knows it by the same name. */
const DEFINED = channel('sigil:server:observe');

/**
 * The observers that tools add to a server.
 * @param registry its entries, which a tool may list: they are in it once the server starts
 */
export function invitedObservers(registry: Registry): readonly Observer[] {
  if (!DEFINED.hasSubscribers) return [];
  const observers: Observer[] = [];
  try {
    DEFINED.publish({ observers, registry });
  } catch {
    // Cloudflare Workers always have a subscriber, and refuse what is published outside of a request. No tool starts a program there.
  }
  return observers;
}
