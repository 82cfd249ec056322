/** What a report of jest comes to: a test that `-t` left out is neither run nor skipped. */

/**
 * @param report as `jest --json` writes it
 * @param args that jest was given
 * @returns the counts, and the full names of the tests that were to run and were skipped
 */
export function judgeReport(report, args) {
  const pending = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending' || status === 'todo' || status === 'skipped')
    .map(({ fullName }) => fullName);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  // Where nothing is pending the pattern may be none at all, which jest has said already.
  return { passed: report.numPassedTests, failed, skipped: pending.length === 0 ? [] : chosenOf(pending, args) };
}

/** What a skipped test needs, if its name says so. */
export function needOf(name) {
  return /\[needs ([\w-]+)\]/.exec(name)?.[1];
}

/** The name of a test without what it needs. */
export function withoutNeed(name) {
  return name.replace(/ \[needs [\w-]+\]/, '');
}

/** Without those that a pattern of names left out: of the others, only what lacks something is pending. */
function chosenOf(names, args) {
  const text = args.map((arg, index) => patternIn(arg, args[index + 1])).findLast((found) => found !== undefined);
  if (text === undefined) return names;
  // As jest reads it.
  const pattern = new RegExp(text, 'i');
  return names.filter((name) => needOf(name) && (pattern.test(name) || pattern.test(withoutNeed(name))));
}

function patternIn(arg, next) {
  const [, long, given] = /^--(testNamePattern|test-name-pattern)(?:=(.*))?$/s.exec(arg) ?? [];
  if (long !== undefined) return given ?? next;
  const [, short] = /^-t=?(.*)$/s.exec(arg) ?? [];
  return short === '' ? next : short;
}
