/** The server of the measurement: argument 1 is how it records, 2 the folder of the file. */
import { join } from 'node:path';
import { audit, fileSink } from '@sigil-mcp/audit';
import { createServer, tool, type Observer } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { z } from 'zod';
import { reportTo } from '../cost/measure-costs';

const [way = 'off', folder = ''] = process.argv.slice(2);
const Place = z.object({ city: z.string(), days: z.number(), units: z.string() });
const secret = 'm'.repeat(32);
const path = join(folder, `${way}.log`);

const OBSERVERS: Readonly<Record<string, () => readonly Observer[]>> = {
  off: () => [],
  idle: () => [{ requestStarted: () => ({}) }],
  batch: () => [audit({ sink: fileSink({ path, batch: true }), secret })],
  'chain batch': () => [audit({ sink: fileSink({ path, batch: true }), secret, chain: true })],
  file: () => [audit({ sink: fileSink({ path }), secret })],
  chain: () => [audit({ sink: fileSink({ path }), secret, chain: true })],
};

async function main(): Promise<void> {
  const observers = OBSERVERS[way]?.() ?? [];
  const features = [tool('forecast', { description: 'Forecasts', input: Place }, ({ city }) => `Sun in ${city}.`)];
  const server = createServer({ name: 'measured', version: '1.0.0', features, observers, logger: false });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1' });
  await server.listen(transport);
  reportTo(transport.url);
}

void main();
