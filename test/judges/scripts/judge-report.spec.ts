/** What `npm test` makes of a report of jest. */
import { callScript } from './call-script';

const need = 'the official schemas [needs official-schemas] accept a result';

interface Told {
  passed?: number;
  failed?: number;
  broken?: number;
  left?: readonly string[];
}

function judge({ passed = 0, failed = 0, broken = 0, left = [] }: Told, ...args: string[]): unknown {
  const assertionResults = left.map((fullName) => ({ fullName, status: 'pending' }));
  const report = {
    numPassedTests: passed,
    numFailedTests: failed,
    numRuntimeErrorTestSuites: broken,
    testResults: [{ assertionResults }],
  };
  return callScript('judge-report.mjs', 'judgeReport', report, args);
}

describe('a report', () => {
  it('counts what passed, what failed and what could not be loaded', () => {
    expect(judge({ passed: 3, failed: 1, broken: 1 })).toEqual({ passed: 3, failed: 2, skipped: [] });
  });

  it('names every skipped test, whatever the reason', () => {
    const left = [need, 'a test that somebody skipped'];
    expect(judge({ passed: 1, left }, 'test/support/supplies')).toEqual({ passed: 1, failed: 0, skipped: left });
  });

  it.each([
    ['-t', 'asks the model'],
    ['-t=asks the model'],
    ['--testNamePattern', 'asks the model'],
    ['--testNamePattern=asks the model'],
  ])('knows that %s left a test out, which is not skipped', (...args) => {
    expect(judge({ passed: 1, left: ['a page of tools', need] }, ...args)).toMatchObject({ skipped: [] });
  });

  it('is read, too, where the pattern is none: every suite has failed then', () => {
    expect(judge({ broken: 2 }, '-t', '(')).toEqual({ passed: 0, failed: 2, skipped: [] });
  });

  it.each(['official schemas', 'SCHEMAS accept', 'schemas \\[needs'])(
    'names what was chosen by -t %j and lacks a supply',
    (pattern) => {
      expect(judge({ left: ['a page of tools', need] }, '-t', pattern)).toMatchObject({ skipped: [need] });
    },
  );
});
