/**
 * `npm run telemetry`: what telemetry costs a call over HTTP, switched off, without a provider, with a trace that is not sampled, with metrics,
 * and with everything. `npm run telemetry 5 20000` measures 5 rounds of 20,000 calls.
 */
import { join } from 'node:path';
import { measureCosts } from '../cost/measure-costs';

const WAYS = {
  none: 'without telemetry',
  context: 'an AsyncLocalStorage in use',
  off: 'no spans, no metrics',
  'no provider': 'no provider',
  'sampled out': 'spans that are not sampled',
  metrics: 'metrics',
  both: 'spans that are not sampled, metrics',
  everything: 'spans, metrics',
};

const [rounds = 7, calls = 10_000] = process.argv.slice(2).map(Number);
void measureCosts({ program: join(__dirname, 'server.ts'), ways: WAYS, rounds, calls });
