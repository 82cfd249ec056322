/** A program with OpenTelemetry, as users set it up: what it records can be read by a test. */
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

/** A point of a metric. */
export interface Point {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

/** Registers providers for this process, and reads what they have recorded. */
export class Recorded {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#metrics, exportIntervalMillis: 3_600_000 });

  constructor() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] }));
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.#reader] }));
  }

  get spans(): readonly ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  /** The last span of this name. */
  span(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name).at(-1);
    if (!found) throw new Error(`No span ${name} among ${this.spans.map((span) => span.name).join(', ')}`);
    return found;
  }

  /** The points of a metric by now. */
  async points(name: string): Promise<readonly Point[]> {
    const found = (await this.#measured()).filter(({ descriptor }) => descriptor.name === name);
    return found.flatMap(({ dataPoints }) => dataPoints as Point[]);
  }

  /** The names of all metrics by now. */
  async metricNames(): Promise<readonly string[]> {
    return (await this.#measured()).map(({ descriptor }) => descriptor.name);
  }

  async #measured(): Promise<readonly MetricData[]> {
    await this.#reader.forceFlush();
    return (
      this.#metrics
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
    );
  }

  reset(): void {
    this.#spans.reset();
  }

  async close(): Promise<void> {
    await this.#reader.shutdown();
    for (const api of [trace, metrics, context, propagation]) api.disable();
  }
}

/** Whose span it is below, and the trace of both. */
export function parentOf(span: ReadableSpan): { readonly traceId: string; readonly parent: string | undefined } {
  return { traceId: span.spanContext().traceId, parent: span.parentSpanContext?.spanId };
}
