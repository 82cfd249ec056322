/** What operators see of the server: audit records in a file, and metrics for Prometheus. */
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { audit, fileSink } from '@sigil-mcp/audit';
import type { Observer } from '@sigil-mcp/core';
import { measureEventLoop, telemetry } from '@sigil-mcp/otel';
import type { Settings } from './settings';

/** Opens those that are set. Rejects if the port of the metrics is taken, as by another instance on this machine. */
export async function openObservers({ audit: records, metricsPort, host }: Settings): Promise<Observer[]> {
  const observers: Observer[] = [];
  if (records) observers.push(audit({ sink: fileSink({ path: records.path }), secret: records.secret, chain: true }));
  if (metricsPort !== undefined) {
    const exporter = new PrometheusExporter({ host, port: metricsPort, preventServerStart: true });
    await exporter.startServer();
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
    observers.push(telemetry());
    measureEventLoop();
  }
  return observers;
}
