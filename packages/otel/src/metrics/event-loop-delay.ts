/** How late the event loop is: what a handler that computes for long does to all others. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { OWN_METRICS } from '../conventions';

/** Nanoseconds in a second. */
const SECOND = 1e9;
/** Milliseconds between two looks. */
const RESOLUTION = 20;

/** Measures while the process runs, and shows the 99th percentile and the longest delay since the last collection. */
export function measureEventLoop(meter: Meter): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const gauge = meter.createObservableGauge(OWN_METRICS.eventLoop, {
    description: 'Delay of the event loop since the last collection',
    unit: 's',
  });
  gauge.addCallback((result) => {
    result.observe(delay.percentile(99) / SECOND, { quantile: '0.99' });
    result.observe(delay.max / SECOND, { quantile: '1' });
    delay.reset();
  });
}
