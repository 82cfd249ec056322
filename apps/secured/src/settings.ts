/** What the environment says of where the server stands, and whose tokens are good. */

/** Where, and whose. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** The URI of the endpoint as clients know it. */
  readonly resource: string;
  /** The authorization server; undefined where the server is tried out with an issuer of its own. */
  readonly issuer: string | undefined;
  /** What else a token may be issued for. */
  readonly audience: readonly string[];
  /** The URL of the Redis that instances share; undefined for a process that is alone. */
  readonly redis: string | undefined;
}

/** Reads them. Throws for a `PORT` that is none, and for a `REDIS_URL` without what several instances need beside it. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { PORT = '3000', HOST = '127.0.0.1', ISSUER, RESOURCE, AUDIENCE = '' } = env;
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535)
    throw new Error(`PORT is ${JSON.stringify(PORT)}, which is not a port number.`);
  return {
    port,
    host: HOST,
    resource: RESOURCE || `http://127.0.0.1:${port}/mcp`,
    issuer: ISSUER || undefined,
    audience: AUDIENCE.split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    redis: redisOf(env),
  };
}

/** Says nothing of what stands in the URL: it may hold a password. */
function redisOf({ REDIS_URL, SIGIL_SECRETS, ISSUER }: NodeJS.ProcessEnv): string | undefined {
  if (!REDIS_URL) return undefined;
  if (!URL.canParse(REDIS_URL) || !/^rediss?:\/\/[^/]/.test(REDIS_URL))
    throw new Error(
      'REDIS_URL is no URL of a Redis, such as redis://127.0.0.1:6379, or rediss://user:password@host:6380 with TLS.',
    );
  if (!SIGIL_SECRETS)
    throw new Error(
      'REDIS_URL makes this one of several instances, and SIGIL_SECRETS is not set: none could read what another has sealed. ' +
        'Give all of them the same, of at least 32 characters, such as what `openssl rand -hex 32` prints.',
    );
  if (!ISSUER)
    throw new Error(
      'REDIS_URL makes this one of several instances, and ISSUER is not set: each would have an issuer of its own, and refuse the ' +
        'tokens of the others. Name the authorization server in ISSUER, or leave REDIS_URL out to try out one process.',
    );
  return REDIS_URL;
}
