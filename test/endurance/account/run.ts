/**
 * `npm run account`: for each kind of thing that clients can make a server keep, a process with 512 MB of heap and every extension on, which one
 * client fills, then three, then fifty. Writes the table of docs/reliability.md; `--only=tasks` tries one kind, `--check` only looks.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillPantry, openPantry, type Filled } from './fill-pantry';
import { HOARDS, type Hoard } from './hoards';

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'reliability.md');
const [BEGIN, END] = ['<!-- account: written by `npm run account` -->', '<!-- /account -->'];
const HEAP = 512;
/** Milliseconds within which another client has its answer. */
const PATIENCE = 2000;
const MIB = 1024 * 1024;

async function main(): Promise<number> {
  const wanted = process.argv.filter((word) => word.startsWith('--only=')).map((word) => word.slice(7));
  const hoards = HOARDS.filter(({ kind }) => wanted.length === 0 || wanted.includes(kind));
  const rows: string[] = [];
  let failures = 0;
  for (const hoard of hoards) {
    const all: Filled[] = [];
    for (const clients of [1, 3, 50]) {
      const filled = await fill(hoard, clients);
      all.push(filled);
      const problems = problemsOf(filled);
      failures += problems.length;
      process.stdout.write(
        `${hoard.what}, ${clients} clients: ${describe(filled)}${problems.map((each) => `; NOT: ${each}`).join('')}\n`,
      );
    }
    rows.push(rowOf(hoard, all));
  }
  if (!process.argv.includes('--check')) write(rows);
  process.stdout.write(failures === 0 ? 'All as expected.\n' : `${failures} not as expected.\n`);
  return failures === 0 ? 0 : 1;
}

async function fill(hoard: Hoard, clients: number): Promise<Filled> {
  const server = await openPantry({ heap: HEAP, limits: {}, endpoint: {} });
  try {
    return await fillPantry(server, hoard, clients, { size: 1_000_000 });
  } finally {
    await server.end();
  }
}

function problemsOf({ hoard, ended, answeredAfter, answer, limits, clients }: Filled): readonly string[] {
  const isFull = /limits\.(held|calls)\b/.test(answer);
  return [
    ...(ended === undefined ? [] : [`the process lives (${ended})`]),
    ...(answeredAfter !== undefined && answeredAfter < PATIENCE ? [] : ['another client is answered within 2 s']),
    // Running calls of fifty clients fill all that there is: then the answer is a refusal.
    ...(answer.includes('still there') || (isFull && clients === 50) ? [] : ['another client is served']),
    // Several clients do not try for as long as one does.
    ...(hoard.isRefused && clients === 1 && limits.length === 0 ? ['a limit is named'] : []),
  ];
}

function describe({ limits, held, all, answeredAfter, answer }: Filled): string {
  const refused = limits.length > 0 ? limits.join(', ') : 'nothing refused';
  const served = answer.includes('still there') ? 'served' : 'refused';
  return `${refused}; ${inMib(held)} of this, ${inMib(all)} in all; another client ${served} after ${Math.round(answeredAfter ?? Infinity)} ms`;
}

function rowOf({ what }: Hoard, all: readonly Filled[]): string {
  const limits = [...new Set(all.flatMap((filled) => filled.limits))].sort();
  const refused = limits.length > 0 ? limits.map((name) => `\`${name}\``).join(', ') : 'the oldest are dropped';
  const held = all.map((filled) => inMib(filled.held)).join(', ');
  const slowest = Math.max(...all.map(({ answeredAfter }) => answeredAfter ?? Infinity));
  return `| ${what} | ${held} | ${refused} | ${slowest < 1000 ? 'within 1 s' : `within ${Math.ceil(slowest / 1000)} s`} |`;
}

const inMib = (bytes: number): string => `${Math.round((bytes / MIB) * 10) / 10} MiB`;

/** Writes rows into the table; those of kinds that were not tried stay. */
function write(rows: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const end = rest.indexOf(END);
  const old = rest.slice(0, end).split('\n');
  const all = HOARDS.flatMap(({ what }) => [...rows, ...old].find((row) => row.startsWith(`| ${what} |`)) ?? []);
  const head = [
    '| what is kept | held of one, three, fifty clients | the limit that refused more | another client was answered |',
    '| --- | --- | --- | --- |',
  ];
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${[...head, ...all].join('\n')}\n\n${rest.slice(end)}`);
}

void main().then((code) => process.exit(code));
