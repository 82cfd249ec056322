/** The start of a server over HTTP: waits for its port to accept connections, or finds the reason why it does not. */
import { setTimeout as pause } from 'node:timers/promises';
import { describeEnd, type ChildServer } from './child-server';
import { commandError } from '../errors/errors';
import { sigilError } from '@sigil-mcp/core/adapter';
import { connect, createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** How many ports after a taken one are tried. */
const NEAR = 20;

/** The first port that every user may listen on. */
const FIRST_OF_USERS = 1024;

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

/** A port soon after one that is taken, or any, which was free a moment ago. */
export async function freePortAfter(port: number, host: string): Promise<number> {
  for (let next = Math.max(port + 1, FIRST_OF_USERS); next <= port + NEAR; next += 1) {
    const free = await freePort(next, host).catch(() => undefined);
    if (free !== undefined) return free;
  }
  return freePort();
}

/**
 * A port that was free a moment ago.
 * @param port the only one that may be the result; any if left out
 * @throws Error of the system if this port is taken
 */
export function freePort(port = 0, host = LOOPBACK): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(sigilError('SIGIL_INTERNAL', { what: 'a server listens on no port' })),
      );
    });
  });
}

/** Whether a server listens on a port of this machine. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK)
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });
}
