/**
 * `npm run cluster:conformance`: three processes of apps/everything share a Redis behind a proxy that sends every request to the next
 * of them, and the official suite judges what comes of it as if it were one server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtApp } from '../../programs/e2e/built-app';
import { openCluster } from './open-cluster';
import { Marks } from './processes/instance';
import { Ledger } from './record/ledger';
import { Timeline } from './record/timeline';

const REVISIONS = ['2025-11-25', '2026-07-28'];

async function main(): Promise<number> {
  const books = { ledger: new Ledger(), timeline: new Timeline(), marks: new Marks() };
  const server = { program: builtApp('everything'), args: ['--http'], readyLine: '"Listening"' };
  const cluster = await openCluster({ stores: 'redis', processes: 3, defect: undefined }, books, server);
  // The suite wants the server under this name.
  const url = new URL('/mcp', cluster.origin.replace('127.0.0.1', 'localhost')).href;
  const suite = [join(__dirname, '..', '..', 'judges', 'conformance', 'run.mjs'), url, ...REVISIONS];
  const [code] = (await once(spawn(process.execPath, suite, { stdio: 'inherit' }), 'close')) as [number | null];
  await cluster.close();
  const broken = books.ledger.promises.flatMap(({ name, examples }) =>
    examples.map((example) => `${name}: ${example}\n`),
  );
  process.stdout.write(broken.join(''));
  return code === 0 && books.ledger.isClean ? 0 : 1;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
