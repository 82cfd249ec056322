/** Serves `/mcp` and `/health`: as one process, or as `WEB_CONCURRENCY` processes of node:cluster. */
import cluster from 'node:cluster';
import { HttpTransport } from '@sigil-mcp/fastify';
import { createShop } from './server';
import { Settings } from './settings';
import { startWorkers } from './workers';

const settings = Settings.read(process.env);
if (cluster.isPrimary && settings.WEB_CONCURRENCY > 1) startWorkers(settings.WEB_CONCURRENCY);
else void serve();

async function serve(): Promise<void> {
  const hasSessions = settings.SESSIONS === 'on' && settings.WEB_CONCURRENCY === 1;
  const transport = new HttpTransport({ sessions: hasSessions ? {} : false });
  transport.app.get('/health', () => ({ status: 'ok', server_type: settings.SERVER_TYPE }));
  await createShop(settings).listen(transport);
}
