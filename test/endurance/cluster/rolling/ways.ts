/** The ways to a cluster that is restarted: a proxy each, as operators have them. */
import { freePort } from '../../../support/free-port';
import { documentedConfiguration, hasNginx, Nginx } from '../../../support/supplies/nginx';
import { RoundRobinProxy } from '../proxy/round-robin-proxy';

/** A proxy that stands. */
export interface Way {
  readonly origin: string;
  close(): Promise<void>;
}

/** Their names, as they are said on the command line. */
export const WAYS = ['nginx', 'each', 'kept'] as const;

/** One of them. */
export type WayName = (typeof WAYS)[number];

/** What they are, for people. */
export const WAY_TITLES: Readonly<Record<WayName, string>> = {
  nginx: 'nginx, as documented',
  each: 'round robin, a connection each',
  kept: 'round robin, kept connections',
};

/** Whether this machine has what a way needs. */
export function isThere(way: WayName): boolean {
  return way !== 'nginx' || hasNginx();
}

/** Opens a way to the processes on these ports; nginx has room for three. */
export async function openWay(name: WayName, ports: readonly number[]): Promise<Way> {
  if (name === 'nginx') {
    const port = await freePort();
    const nginx = await Nginx.start(documentedConfiguration([port, ...ports]), port);
    return { origin: `http://127.0.0.1:${port}`, close: () => nginx.stop() };
  }
  const proxy = new RoundRobinProxy(ports, undefined, name === 'kept');
  return { origin: await proxy.listen(), close: () => proxy.close() };
}
