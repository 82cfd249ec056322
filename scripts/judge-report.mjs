/** Evaluates a report of jest: tests that `-t` left out count neither as run nor as skipped. */

/**
 * @param report from `jest --json`
 * @param args the arguments of jest
 * @returns the counts, and the full names of the tests that were selected and skipped
 */
export function judgeReport(report, args) {
  const pending = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending' || status === 'todo' || status === 'skipped')
    .map(({ fullName }) => fullName);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  // Only with pending tests, because the pattern may be an invalid one, which jest has reported already.
  return { passed: report.numPassedTests, failed, skipped: pending.length === 0 ? [] : chosenOf(pending, args) };
}

/** The specs that took longest, with their seconds: `[{ name, seconds }]`. */
export function slowest({ testResults }, count = 10) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}

/** The requirement of a skipped test, if its name contains one. */
export function needOf(name) {
  return /\[needs ([\w-]+)\]/.exec(name)?.[1];
}

/** The name of a test without its requirement. */
export function withoutNeed(name) {
  return name.replace(/ \[needs [\w-]+\]/, '');
}

/** Without tests that a name pattern left out: of the others, only tests with missing requirements are pending. */
function chosenOf(names, args) {
  const text = args.map((arg, index) => patternIn(arg, args[index + 1])).findLast((found) => found !== undefined);
  if (text === undefined) return names;
  // As jest reads the pattern.
  const pattern = new RegExp(text, 'i');
  return names.filter((name) => needOf(name) && (pattern.test(name) || pattern.test(withoutNeed(name))));
}

function patternIn(arg, next) {
  const [, long, given] = /^--(testNamePattern|test-name-pattern)(?:=(.*))?$/s.exec(arg) ?? [];
  if (long !== undefined) return given ?? next;
  const [, short] = /^-t=?(.*)$/s.exec(arg) ?? [];
  return short === '' ? next : short;
}
