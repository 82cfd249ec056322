/**
 * The notes over HTTP: `ISSUER` names the authorization server; without it, a development issuer runs in this process.
 * With `REDIS_URL` this is one of several instances, which share their state.
 */
import { HttpTransport } from '@sigil-mcp/fastify';
import { authOf } from './auth';
import { openDevelopmentIssuer } from './development-issuer';
import { howToUse } from './how-to-use';
import { openObservers } from './open-observers';
import { notesServer } from './server';
import { readSettings } from './settings';

serve().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function serve(): Promise<void> {
  const settings = readSettings(process.env);
  const { port, host, resource, issuer, redis } = settings;
  const own = issuer === undefined ? await openDevelopmentIssuer(resource, port) : undefined;
  const auth = authOf(issuer ?? own?.url ?? '', settings);
  const observers = await openObservers(settings);
  // Loaded only here: a single instance needs no Redis.
  const shared = redis === undefined ? undefined : await (await import('./open-shared.js')).openShared(redis);
  await notesServer({ shared, observers }).listen(new HttpTransport({ port, host, auth }));
  if (own) process.stdout.write(howToUse(resource, own.url));
}
