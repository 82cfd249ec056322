/**
 * `npm run budgets`: what servers cost a model in tokens, as `sigil check` counts them: two apps, and a server with 1,000 tools as a generator
 * leaves it, with the texts shortened that the check names, and with a scope for each area.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const SIGIL = join(root, 'packages', 'cli', 'dist', 'main.js');
const MANY = join(__dirname, 'many-tools.cjs');

/** The part of the report that is read. */
interface Report {
  readonly cost: {
    readonly audiences: readonly { readonly name: string; readonly tools: number; readonly tokens: number }[];
  };
  readonly findings: readonly { readonly severity: string }[];
}

function check(target: string, way = ''): { readonly report: Report; readonly seconds: number } {
  const before = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [SIGIL, 'check', target, '--format', 'json'], {
    env: { ...process.env, MANY_TOOLS: way },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (stdout === '') throw new Error(stderr);
  // Written by the program above.
  return { report: JSON.parse(stdout) as Report, seconds: (performance.now() - before) / 1000 };
}

function row(name: string, target: string, { way, audience }: { way?: string; audience?: string } = {}): void {
  const { report, seconds } = check(target, way);
  const [dearest] = report.cost.audiences;
  const seen = audience === undefined ? dearest : report.cost.audiences.find((each) => each.name === audience);
  const serious = report.findings.filter(({ severity }) => severity !== 'hint').length;
  const cells = [name, seen?.tools ?? 0, (seen?.tokens ?? 0).toLocaleString('en'), serious, `${seconds.toFixed(1)} s`];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

process.stdout.write('| server | tools of a caller | tokens | errors and warnings | time |\n|---|---|---|---|---|\n');
row('apps/everything', join(root, 'apps', 'everything'));
row('apps/library', join(root, 'apps', 'library'));
row('1,000 tools, wordy', MANY, { way: 'wordy' });
row('1,000 tools, shortened', MANY, { way: 'short' });
row('1,000 tools, shortened, a caller with one scope', MANY, { way: 'scopes', audience: 'orders' });
