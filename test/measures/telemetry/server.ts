/** The server of the measurement: its argument is what it records. */
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { context, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createServer, tool, type Observer } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { telemetry } from '@sigil-mcp/otel';
import { z } from 'zod';
import { reportTo } from '../cost/measure-costs';

const [way = 'none'] = process.argv.slice(2);
const Place = z.object({ city: z.string(), days: z.number(), units: z.string() });

/** Takes spans and sends them nowhere. */
const NOWHERE = {
  export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
  shutdown: async () => undefined,
};

/** As each program with spans: a call then has a context, which its promises take along. */
function useContexts(): void {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  // Node follows promises from the first use.
  context.with(ROOT_CONTEXT, () => undefined);
}

function traces(sampler: AlwaysOffSampler | AlwaysOnSampler): void {
  useContexts();
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ sampler, spanProcessors: [new BatchSpanProcessor(NOWHERE)] }),
  );
}

function measures(): void {
  metrics.setGlobalMeterProvider(
    new MeterProvider({ readers: [new PrometheusExporter({ preventServerStart: true })] }),
  );
}

const OBSERVERS: Readonly<Record<string, () => Observer>> = {
  off: () => telemetry({ tracer: false, meter: false }),
  'no provider': () => telemetry(),
  'sampled out': () => (traces(new AlwaysOffSampler()), telemetry({ meter: false })),
  metrics: () => (measures(), telemetry({ tracer: false })),
  both: () => (traces(new AlwaysOffSampler()), measures(), telemetry()),
  everything: () => (traces(new AlwaysOnSampler()), measures(), telemetry()),
};

async function main(): Promise<void> {
  const observer = OBSERVERS[way]?.();
  if (way === 'context') useContexts();
  const features = [tool('forecast', { description: 'Forecasts', input: Place }, ({ city }) => `Sun in ${city}.`)];
  const observers = observer ? [observer] : [];
  const server = createServer({ name: 'measured', version: '1.0.0', features, observers, logger: false });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1' });
  await server.listen(transport);
  reportTo(transport.url);
}

void main();
