/** Ports for what is named before anybody listens, such as the resource that tokens are issued for. */
import { createServer } from 'node:net';

/** Below the ports that systems give to connections, so that none of them takes one before it is listened on. */
const [FIRST, LAST] = [10_240, 32_700];

/** Ports that this process was given. */
const given = new Set<number>();

/** A port of loopback that nobody listens on, and that no connection and no later call takes. */
export async function freePort(): Promise<number> {
  // By chance, because other test processes look for ports, too.
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
  if (given.has(port) || !(await isFree(port))) return freePort();
  given.add(port);
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
