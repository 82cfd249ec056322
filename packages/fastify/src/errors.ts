/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_PORT: {
    problem: 'PORT is {port}, which is not a port number.',
    fix: 'Use a number from 0 to 65535.',
  },
  SIGIL_PORT_TAKEN: {
    problem: 'Port {port} of {host} is already in use.',
    fix: 'Use another one with the option `port`, or PORT in the environment.',
  },
  SIGIL_CONNECTIONS: {
    problem: 'A connection from {address} was refused: there are {most} already (connections.{limit}).',
    fix: 'If this is the address of a proxy, name it in `trustProxy` (TRUST_PROXY): its connections then count only for `connections.all`. If so many are expected, raise the limit.',
  },
  SIGIL_TRUST_PROXY: {
    problem: 'trustProxy (TRUST_PROXY) contains {value}, which is neither an address nor a network.',
    fix: 'List each proxy: 10.0.0.7, 10.0.0.0/8, fd00::/8, loopback, linklocal or uniquelocal.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: httpError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'HTTP',
    about: 'Thrown when a transport is made or opened.',
    errors: ERRORS.entries,
  },
];
