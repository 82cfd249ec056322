/** The specs of this folder whose behaviour does not depend on Fastify, for other adapters. */
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
  'observed',
  'observed-streams',
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

/** Runs them, with the adapter that is in use. */
export function describeSpecs(adapter: string): void {
  for (const spec of SPECS) {
    describe(`${spec}, with ${adapter}`, () => {
      jest.requireActual(`./${spec}.spec`);
    });
  }
}
