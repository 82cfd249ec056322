/** `npm run faults`: brings each fault about and writes what happened into docs/reliability.md; `--check` only looks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from './all-faults';
import { Report, type Fault } from './fault';

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'reliability.md');
const [BEGIN, END] = ['<!-- faults: written by `npm run faults` -->', '<!-- /faults -->'];

async function main(): Promise<number> {
  const rows: string[] = [];
  const failures: string[] = [];
  for (const fault of FAULTS) {
    const report = await tryFault(fault);
    rows.push(`| ${fault.name} | ${fault.expected} | ${report.facts.join('; ')} |`);
    process.stdout.write(
      `${report.problems.length === 0 ? 'as expected' : 'NOT AS EXPECTED'}: ${fault.name}: ${report.facts.join('; ')}\n`,
    );
    if (report.problems.length > 0) failures.push(fault.name);
  }
  if (!process.argv.includes('--check')) write(rows);
  process.stdout.write(failures.length === 0 ? 'All as expected.\n' : `Not as expected: ${failures.join(', ')}\n`);
  return failures.length === 0 ? 0 : 1;
}

async function tryFault({ run }: Fault): Promise<Report> {
  const report = new Report();
  await run(report).catch((error: unknown) =>
    report.expect(false, `it could be tried (${String(error).slice(0, 300)})`),
  );
  return report;
}

function write(rows: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  const table = ['| what goes wrong | what should happen | what happened |', '| --- | --- | --- |', ...rows];
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table.join('\n')}\n\n${after}`);
}

void main().then((code) => process.exit(code));
