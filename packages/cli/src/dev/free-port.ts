/** Checks of local ports: is one free, and does a server listen on it? */
import { sigilError } from '@sigil-mcp/core/adapter';
import { connect, createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, LOOPBACK, () => {
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
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK)
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });
}
