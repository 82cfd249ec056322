// The weather server over HTTP, with metrics for Prometheus on a port of their own; an example of docs/telemetry.md.
// #region provider
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { AggregationType, MeterProvider } from '@opentelemetry/sdk-metrics';

/** Seconds. The conventions begin at 10 ms, and most calls are shorter. */
const boundaries = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

/** Serves http://127.0.0.1:9464/metrics, which clients of the server cannot reach. */
const exporter = new PrometheusExporter({ host: '127.0.0.1', preventServerStart: true });
const aggregation = { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries } } as const;
metrics.setGlobalMeterProvider(
  new MeterProvider({ readers: [exporter], views: [{ instrumentName: 'mcp.server.operation.duration', aggregation }] }),
);
// #endregion provider

// #region server
import { createServer } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { measureEventLoop, telemetry } from '@sigil-mcp/otel';
import { Climate } from './climate';
import { WeatherFeature } from './weather-feature';

const server = createServer({
  name: 'weather',
  version: '0.1.0',
  features: [WeatherFeature],
  providers: [Climate],
  observers: [telemetry()],
});
measureEventLoop();
// Rejects if the port is taken, as by another instance on this machine.
void exporter.startServer().then(() => server.listen(new HttpTransport()));
// #endregion server
