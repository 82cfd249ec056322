/**
 * `npm run records`: what audit records in a file cost a call over HTTP, with and without a chain, beside the same server without them.
 * `npm run records 5 20000` measures 5 rounds of 20,000 calls.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCosts } from '../cost/measure-costs';

const WAYS = {
  off: 'without observers',
  idle: 'an observer that does nothing',
  batch: 'audit, file, batches',
  'chain batch': 'audit, file with a chain, batches',
  file: 'audit, file',
  chain: 'audit, file with a chain',
};

async function main(): Promise<void> {
  const [rounds = 7, calls = 10_000] = process.argv.slice(2).map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'sigil-audit-cost-'));
  await measureCosts({ program: join(__dirname, 'server.ts'), words: [folder], ways: WAYS, rounds, calls });
  rmSync(folder, { recursive: true });
}

void main();
