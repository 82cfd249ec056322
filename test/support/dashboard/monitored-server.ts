/** A server as the dashboard is made for: over HTTP, with stores, and with its metrics at /metrics of the same Fastify instance. */
import { setTimeout as sleep } from 'node:timers/promises';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { AggregationType, MeterProvider } from '@opentelemetry/sdk-metrics';
import { createServer, prompt, RateLimit, tool, ToolFailure, type Server } from '@sigil-mcp/core';
import { MemoryStores, type Stores } from '@sigil-mcp/core/stores';
import { mcpPlugin } from '@sigil-mcp/fastify';
import { measureEventLoop, telemetry } from '@sigil-mcp/otel';
import Fastify from 'fastify';
import { z } from 'zod';

const Pause = z.object({ ms: z.number() });
const Sure = z.object({ sure: z.boolean() });

/** What a tool does that takes so long: the dashboard shows durations. */
function work(ms: number): Promise<void> {
  // eslint-disable-next-line house/fixed-sleep -- nothing waits for a state here
  return sleep(ms);
}

const FEATURES = [
  tool('forecast', { description: 'Forecasts', input: Pause }, async ({ ms }) => (await work(ms), 'Sun.')),
  tool('report', { description: 'Reports', input: Pause }, async ({ ms }) => (await work(ms), 'All is well.')),
  tool('pay', { description: 'Fails' }, () => {
    throw new ToolFailure('No money.');
  }),
  tool('crash', { description: 'Has a fault' }, () => {
    throw new Error('A fault of the test.');
  }),
  tool('alert', { description: 'Asks' }, async (_, context) => (await context.elicit(Sure, 'Sure?')).action),
  tool('wait', { description: 'Waits until it is cancelled' }, async (_, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }),
  tool('rare', { description: 'Is limited', guards: [RateLimit({ calls: 1, per: 'hour', name: 'rare' })] }, () => 'x'),
  prompt('greet', { description: 'Greets', input: z.object({ tone: z.enum(['warm', 'cold']) }) }, ({ tone }) => tone),
];

/** A server that runs, with what can be asked of it. */
export interface MonitoredServer {
  readonly url: string;
  /** Host and port. */
  readonly address: string;
  /** What /metrics has by now. */
  scrape(): Promise<string>;
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function monitoredServer(): Promise<MonitoredServer> {
  const boundaries = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];
  const aggregation = { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries } } as const;
  const views = [{ instrumentName: 'mcp.*.operation.duration', aggregation }];
  // #region route
  const exporter = new PrometheusExporter({ preventServerStart: true });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter], views }));
  const server = definedServer();

  const app = Fastify({ forceCloseConnections: true });
  app.get('/metrics', (request, reply) => {
    reply.hijack();
    exporter.getMetricsRequestHandler(request.raw, reply.raw);
  });
  await app.register(mcpPlugin, { server, path: '/mcp' });
  // #endregion route
  const stop = measureEventLoop();
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: `${base}/mcp`,
    address: new URL(base).host,
    scrape: async () => (await fetch(`${base}/metrics`)).text(),
    async close() {
      stop();
      await app.close();
      await exporter.shutdown();
      metrics.disable();
    },
  };
}

function definedServer(): Server {
  return createServer({
    name: 'monitored',
    version: '1.0.0',
    features: FEATURES,
    observers: [telemetry()],
    stores: storesWithoutRates(),
    requestState: { secrets: ['x'.repeat(40)] },
    limits: { nesting: 20, completions: { calls: 1, per: 'hour' } },
    shutdownDeadline: 50,
    logger: false,
  });
}

/** A part of the stores fails, as a Redis does that has no memory left. */
function storesWithoutRates(): Stores {
  const { sessions, streams, bus } = new MemoryStores();
  const rates = { take: () => Promise.reject(new Error('away')) };
  return { sessions, streams, bus, rates, close: () => undefined };
}
