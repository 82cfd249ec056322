#!/usr/bin/env node
/** The program `sigil`. */
import type * as Cli from './run-cli';
import type * as CompileCache from './compile-cache';
import type * as Shells from './terminal/shell';
import { nodeProblem } from './node-problem';
import type * as Version from './version';

// The reader of the output may close it early, as `head` does: the rest is dropped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const outdated = nodeProblem(process.versions.node);
if (outdated === undefined) {
  start();
} else {
  process.stderr.write(`${outdated.problem}\n${outdated.fix}\n`);
  process.exitCode = 1;
}

function start(): void {
  const [word = '', ...others] = process.argv.slice(2);
  // All else is not loaded for it.
  if (others.length === 0 && (word === '--version' || word === '-V')) return printVersion();
  // Not at the top, because an old Node cannot parse it; the oldest do not know `import()`.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { openCompileCache } = require('./compile-cache') as typeof CompileCache;
  openCompileCache();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { runCli } = require('./run-cli') as typeof Cli;
  runCli(process.argv.slice(2)).then(
    (status) => {
      process.exitCode = status;
    },
    (error: unknown) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
      const { Shell } = require('./terminal/shell') as typeof Shells;
      new Shell().report(error instanceof Error ? error.stack || error.message : String(error));
      process.exitCode = 70;
    },
  );
}

function printVersion(): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { versionOfCli } = require('./version') as typeof Version;
  process.stdout.write(`${versionOfCli()}\n`);
}
