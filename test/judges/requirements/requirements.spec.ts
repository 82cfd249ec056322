/** The list of obligations, its scope and the test titles that name them agree. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import requirements from './requirements.json';
import scope from './scope.json';

interface Report {
  unknown: string[];
  malformed: { title: string; file: string }[];
  requirements: { id: string; state: string }[];
}

const script = join(__dirname, '..', '..', '..', 'scripts', 'requirements.mjs');
const known = requirements.map(({ id }) => id);

describe('the requirements', () => {
  // A complaint of the script is also its exit code; here it is read from the report.
  const report = readReport();

  it('have ids of their own', () => {
    expect(known.filter((id, index) => known.indexOf(id) !== index)).toEqual([]);
  });

  it('contain every id that a test title names', () => {
    expect(report.unknown).toEqual([]);
    expect(report.malformed).toEqual([]);
  });

  it('contain every id and area of the scope, each excused once', () => {
    const excused = [...Object.keys(scope.later), ...Object.keys(scope.untestable)];
    expect(excused.filter((id) => !known.includes(id))).toEqual([]);
    expect(excused.filter((id, index) => excused.indexOf(id) !== index)).toEqual([]);
    const areas = [...scope.areas.now, ...Object.keys(scope.areas.later)].sort();
    expect(areas).toEqual([...new Set(requirements.map(({ area }) => area))].sort());
  });

  it('are excused only where no test proves them', () => {
    const proven = report.requirements.filter(({ state }) => state === 'proven').map(({ id }) => id);
    const excused = [...Object.keys(scope.later), ...Object.keys(scope.untestable)];
    expect(proven.filter((id) => excused.includes(id))).toEqual([]);
  });
});

function readReport(): Report {
  try {
    return JSON.parse(
      execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8', stdio: 'pipe' }),
    ) as Report;
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout) as Report;
  }
}
