/** The start of a server over HTTP: waits for its port to accept connections, or finds the reason why it does not. */
import { setTimeout as pause } from 'node:timers/promises';
import { describeEnd, type ChildServer } from './child-server';
import { isListening } from './free-port';
import { commandError } from '../errors/errors';

/** Milliseconds for a server to start listening. */
const STARTING = 30_000;

/** @throws SigilError if the server ends, or listens elsewhere */
export async function waitForPort(port: number, child: ChildServer): Promise<void> {
  const deadline = Date.now() + STARTING;
  while (!(await isListening(port))) {
    if (child.hasEnded) throw commandError(await codeOfEnd(child), { how: describeEnd(await child.ended) });
    if (Date.now() > deadline) throw commandError('SIGIL_DEV_OTHER_PORT', { port });
    await pause(30);
  }
}

/** A server for stdin ends normally, because its stdin is empty; every other end has another reason. */
async function codeOfEnd(child: ChildServer): Promise<'SIGIL_DEV_ENDED' | 'SIGIL_DEV_NOT_HTTP'> {
  const { code } = await child.ended;
  return code === 0 ? 'SIGIL_DEV_NOT_HTTP' : 'SIGIL_DEV_ENDED';
}
