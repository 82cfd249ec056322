/** The settings in the environment: the address of the server, the tokens that it accepts, and what operators see of it. */

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
  /** The file of the audit records, and their secret; undefined for no records. */
  readonly audit: { readonly path: string; readonly secret: string } | undefined;
  /** The port of the metrics for Prometheus; undefined for no metrics. */
  readonly metricsPort: number | undefined;
}

/** The shortest secret that Sigil accepts, in characters. */
const SHORTEST_SECRET = 32;

/** Reads them. Throws one error that lists every setting that is missing or cannot be used. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const problems = [...singleProblems(env), ...(env['REDIS_URL'] ? instanceProblems(env) : [])];
  if (problems.length > 0) throw new Error(`These settings have to be changed:\n- ${problems.join('\n- ')}`);
  const { HOST = '127.0.0.1', ISSUER, RESOURCE, AUDIENCE = '', REDIS_URL } = env;
  const { AUDIT_FILE: path, SIGIL_AUDIT_SECRET: secret = '', OTEL_EXPORTER_PROMETHEUS_PORT: metrics } = env;
  const port = Number(env['PORT'] || 3000);
  return {
    port,
    host: HOST,
    resource: RESOURCE || `http://127.0.0.1:${port}/mcp`,
    issuer: ISSUER || undefined,
    audience: AUDIENCE.split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    redis: REDIS_URL || undefined,
    audit: path ? { path, secret } : undefined,
    metricsPort: metrics ? Number(metrics) : undefined,
  };
}

/** What is wrong with the settings of any process. */
function* singleProblems(env: NodeJS.ProcessEnv): Iterable<string> {
  for (const name of ['PORT', 'OTEL_EXPORTER_PROMETHEUS_PORT']) {
    const port = env[name];
    if (port && (!/^\d+$/.test(port) || Number(port) > 65_535))
      yield `${name} is ${JSON.stringify(port)}, which is not a port number.`;
  }
  const { NODE_ENV, ISSUER, RESOURCE, AUDIT_FILE, SIGIL_AUDIT_SECRET = '' } = env;
  for (const [name, url] of Object.entries({ ISSUER, RESOURCE }))
    if (url && !URL.canParse(url)) yield `${name} is not a URL, such as https://notes.example.com/mcp.`;
  if (!ISSUER && NODE_ENV === 'production')
    yield 'ISSUER is not set, and the development issuer does not run with NODE_ENV=production. Name your authorization server.';
  if (AUDIT_FILE && SIGIL_AUDIT_SECRET.length < SHORTEST_SECRET)
    yield `AUDIT_FILE needs SIGIL_AUDIT_SECRET, a secret of at least ${SHORTEST_SECRET} characters. Keep it: it verifies the records.`;
}

/** What one of several instances needs in addition. The messages do not quote `REDIS_URL`, which may contain a password. */
function* instanceProblems({ REDIS_URL = '', SIGIL_SECRETS, ISSUER, RESOURCE }: NodeJS.ProcessEnv): Iterable<string> {
  if (!URL.canParse(REDIS_URL) || !/^rediss?:\/\/[^/]/.test(REDIS_URL))
    yield 'REDIS_URL is not the URL of a Redis, such as redis://127.0.0.1:6379, or rediss://user:password@host:6380 with TLS.';
  const because = 'REDIS_URL makes this one of several instances, but';
  if (!SIGIL_SECRETS)
    yield (
      `${because} SIGIL_SECRETS is not set, so none could read what another has sealed. ` +
      `Give all of them the same secret of at least ${SHORTEST_SECRET} characters, such as the output of \`openssl rand -hex 32\`.`
    );
  else if (SIGIL_SECRETS.split(',').some((each) => each.trim().length < SHORTEST_SECRET))
    yield `SIGIL_SECRETS has a secret of less than ${SHORTEST_SECRET} characters.`;
  if (!ISSUER)
    yield (
      `${because} ISSUER is not set: each instance would have its own issuer and refuse the tokens of the others. ` +
      'Name the authorization server, or the development issuer of a process without REDIS_URL.'
    );
  if (!RESOURCE)
    yield `${because} RESOURCE is not set: it is the URL at which clients reach all of them, such as that of the proxy.`;
}
