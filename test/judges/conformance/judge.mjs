/** Holds what the suite found against what is expected to fail; a warning is as bad as a failure. */
import { readFileSync } from 'node:fs';

/** The entries of `expected-failures.yml`: a scenario, or `scenario:check`. */
export function readExpected(file) {
  const text = readFileSync(file, 'utf8');
  return new Set([...text.matchAll(/^ {2}- (\S+)$/gm)].map(([, entry]) => entry));
}

/**
 * Sorts scenarios into passed, skipped (by the suite itself), expected (to fail), failed (unexpectedly, with reasons), and
 * stale: the entries that were expected to fail and passed.
 */
export function judge(scenarios, expected) {
  const verdicts = { passed: [], skipped: [], expected: [], failed: [], stale: [] };
  for (const [name, checks] of scenarios) {
    const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const excused = bad.filter(({ id }) => expected.has(name) || expected.has(`${name}:${id}`));
    const inexcusable = bad.filter((check) => !excused.includes(check));
    verdicts.stale.push(...staleEntries(name, checks, { bad, expected }));
    if (inexcusable.length > 0) verdicts.failed.push(`${name} (${inexcusable.map(reasonOf).join('; ')})`);
    else if (excused.length > 0) verdicts.expected.push(name);
    else if (checks.some(({ status }) => status === 'SUCCESS')) verdicts.passed.push(name);
    else verdicts.skipped.push(name);
  }
  return verdicts;
}

/** Whether nothing is to be done. */
export function isClean({ failed, stale, passed }) {
  return failed.length === 0 && stale.length === 0 && passed.length > 0;
}

/** An expected check that was not reached, or skipped, is not stale: something before it failed. */
function staleEntries(name, checks, { bad, expected }) {
  if (expected.has(name)) return bad.length === 0 ? [name] : [];
  const good = checks.filter(({ id, status }) => status === 'SUCCESS' && !bad.some((other) => other.id === id));
  return [...new Set(good.map(({ id }) => `${name}:${id}`))].filter((entry) => expected.has(entry));
}

function reasonOf({ id, status, errorMessage }) {
  return `${id}: ${errorMessage ?? status}`;
}
