/** How late the event loop is: what a handler that computes for long does to all others. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics, type Meter, type ObservableResult } from '@opentelemetry/api';
import { OWN, OWN_METRICS, SCOPE } from '../conventions';

/** Nanoseconds in a second. */
const SECOND = 1e9;
/** Milliseconds between two looks. */
const RESOLUTION = 20;

/**
 * Measures the delay of the event loop, once for the process and not for each server: the 99th percentile and the longest since the last
 * collection.
 * @param meter that of the global provider if left out
 * @returns a function that stops it
 * @example const stop = measureEventLoop();
 */
export function measureEventLoop(meter: Meter = metrics.getMeter(SCOPE)): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const description = 'Delay of the event loop since the last collection';
  const gauge = meter.createObservableGauge(OWN_METRICS.eventLoop, { description, unit: 's' });
  // What is measured is the time between two looks.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / SECOND - RESOLUTION / 1000);
  const observe = (result: ObservableResult): void => {
    result.observe(late(delay.percentile(99)), { [OWN.statistic]: 'p99' });
    result.observe(late(delay.max), { [OWN.statistic]: 'max' });
    delay.reset();
  };
  gauge.addCallback(observe);
  return () => {
    gauge.removeCallback(observe);
    delay.disable();
  };
}
