/**
 * Announces servers that start on a channel of `node:diagnostics_channel`, so that a tool which started the program can see what its server
 * declares and the protocol does not list. Costs nothing if nothing listens.
 */
import { channel } from 'node:diagnostics_channel';
import type { ServerRegistry } from './server-registry';

/** The channel. The command `sigil inspect` knows it by the same name. */
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
