/** The specs of this folder whose behaviour does not depend on Fastify, for other adapters. */
import { sample } from '../../support/matrix';
import type { Adapter } from './http-server';

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

/** With Fastify they run in files of their own, in every run. */
const ADAPTERS: readonly Adapter[] = ['fastify', 'node', 'fetch'];

/** Runs them with the adapter that is in use, where it is its turn. */
export function describeSpecs(adapter: Adapter): void {
  if (!sample(ADAPTERS).includes(adapter)) return;
  for (const spec of SPECS) {
    describe(`${spec}, with the adapter ${adapter}`, () => {
      jest.requireActual(`./${spec}.spec`);
    });
  }
}
