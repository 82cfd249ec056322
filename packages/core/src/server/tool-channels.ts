/**
 * Channels of `node:diagnostics_channel` for a tool that started the program: it sees what servers declare and the protocol does not list, and
 * adds observers to each server that is defined, such as the page of `sigil dev`. They cost nothing if nothing listens.
 */
import { channel } from 'node:diagnostics_channel';
import type { Observer } from '../context/observer';
import type { Registry } from '../registry/registry';
import type { ServerRegistry } from './server-registry';

/** The channel of servers that have started. The command `sigil inspect` knows it by the same name. */
const STARTED = channel('sigil:server:start');

/** The channel of servers that are about to start. The command `sigil contract` knows it by the same name. */
const LISTENING = channel('sigil:server:listen');

/** Announces a server that is about to start: nothing is built or opened yet. */
export function announceListening(server: { describe(): object }): void {
  if (LISTENING.hasSubscribers) LISTENING.publish({ server });
}

/** Announces a server whose entries are compiled, before the first client is served. */
export function announceStart(registry: ServerRegistry): void {
  if (STARTED.hasSubscribers) STARTED.publish({ registry });
}

/** The channel of servers that are defined. The command `sigil dev` knows it by the same name. */
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
