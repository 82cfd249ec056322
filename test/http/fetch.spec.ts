/** The behaviour of HTTP that does not depend on Fastify, served by the fetch adapter. */
import { useAdapter } from './http-server';

useAdapter('fetch');

const SPECS = [
  'asking',
  'authorization',
  'bad-input',
  'buffered',
  'checks',
  'client-shares',
  'cors',
  'expiry',
  'http-sse',
  'limits',
  'principals',
  'refused-handshakes',
  'resource-metadata',
  'scopes',
  'shared-faults',
  'shared-http-sse',
  'shared-limits',
  'shared-messages',
  'shared-rates',
  'shared-sessions',
  'shared-streams',
  'shares',
  'signed-in-later',
  'sixth-revision',
  'stolen-event-ids',
  'subscriptions',
  'told-by-rights',
  'verify-deadline',
];
for (const spec of SPECS) {
  describe(`${spec}, with the fetch adapter`, () => {
    jest.requireActual(`./${spec}.spec`);
  });
}
