/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_REDIS_CLIENT: {
    problem: 'The client of Redis is of an unknown kind.',
    fix: 'Pass the result of createClient() or createCluster() of @redis/client 6 (or redis 6), or a Redis or Cluster of ioredis 6. For Sentinel, use ioredis. For a Redis over HTTP, pass the result of upstash().',
  },
  SIGIL_REDIS_REST_URL: {
    problem: 'upstash({ url }) is {url}, which is not the address of a REST API.',
    fix: 'Pass the address with https:// that the console of your Redis shows, UPSTASH_REDIS_REST_URL.',
  },
  SIGIL_REDIS_REST_TOKEN: {
    problem: 'upstash({ token }) is empty.',
    fix: 'Pass the token that the console of your Redis shows, UPSTASH_REDIS_REST_TOKEN; not the read-only one.',
  },
  SIGIL_REDIS_REST: {
    problem: '{reason} (the answer of the REST API of Redis).',
    fix: 'Look for the command in the log of your Redis, and check that the token may write.',
  },
  SIGIL_REDIS_NAMESPACE: {
    problem: 'redis({ namespace }) is {namespace}.',
    fix: 'Use at most 100 letters, digits, `-`, `_` and `:`, or leave it out to use the name of the server.',
  },
  SIGIL_REDIS_NUMBER: {
    problem: 'redis({ {option} }) is {value}.',
    fix: 'Use a whole number from 1 to 2147483647, or leave it out for the default.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: redisError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Redis',
    about: 'Thrown by `redis()`.',
    errors: ERRORS.entries,
  },
];
