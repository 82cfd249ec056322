/** Node's own ticks keep their pace beside a server: V8 does not forget the hidden class of their objects. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'sigil-tick-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** How often V8 made a hidden class for objects with the id of who triggered them, while a program ran that collects garbage between ticks. */
function classesMade(...words: string[]): number {
  const log = join(folder, 'v8.log');
  const flags = ['--expose-gc', '--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate'];
  execFileSync(process.execPath, [...flags, join(__dirname, 'fixtures', 'forgetful.cjs'), ...words]);
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('map,Transition,') && line.includes('"trigger_async_id_symbol"'))
    .length;
}

it('what V8 knows of ticks outlives the collections of garbage between them, where there is a server', () => {
  expect(classesMade('server')).toBeLessThanOrEqual(classesMade() - 3);
});
