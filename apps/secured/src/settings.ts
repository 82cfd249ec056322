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
}

/** Reads them. Throws for a `PORT` that is none. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { PORT = '3000', HOST = '127.0.0.1', ISSUER, RESOURCE, AUDIENCE = '' } = env;
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) throw new Error(`PORT is ${JSON.stringify(PORT)}, which is no port.`);
  return {
    port,
    host: HOST,
    resource: RESOURCE || `http://127.0.0.1:${port}/mcp`,
    issuer: ISSUER || undefined,
    audience: AUDIENCE.split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  };
}
