/** The settings in the environment: the address of the server, and the tokens that it accepts. */

/** Where the server listens, and which tokens it accepts. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** The URI of the endpoint as clients know it. */
  readonly resource: string;
  /** The authorization server; undefined for the development issuer. */
  readonly issuer: string | undefined;
  /** Other audiences to accept in tokens. */
  readonly audience: readonly string[];
  /** The URL of the Redis that instances share; undefined for a single process. */
  readonly redis: string | undefined;
}

/** Reads them. Throws for an invalid `PORT`, and for a `REDIS_URL` without the other settings that several instances need. */
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

/** Its messages do not quote the URL, which may contain a password. */
function redisOf({ REDIS_URL, SIGIL_SECRETS, ISSUER }: NodeJS.ProcessEnv): string | undefined {
  if (!REDIS_URL) return undefined;
  if (!URL.canParse(REDIS_URL) || !/^rediss?:\/\/[^/]/.test(REDIS_URL))
    throw new Error(
      'REDIS_URL is not the URL of a Redis, such as redis://127.0.0.1:6379, or rediss://user:password@host:6380 with TLS.',
    );
  if (!SIGIL_SECRETS)
    throw new Error(
      'REDIS_URL makes this one of several instances, but SIGIL_SECRETS is not set, so none could read what another has sealed. ' +
        'Give all of them the same secret of at least 32 characters, such as the output of `openssl rand -hex 32`.',
    );
  if (!ISSUER)
    throw new Error(
      'REDIS_URL makes this one of several instances, but ISSUER is not set: each instance would have its own issuer and refuse ' +
        'the tokens of the others. Name the authorization server in ISSUER, or leave REDIS_URL out to try out one process.',
    );
  return REDIS_URL;
}
