/** The version that changes ask for (semver.org), and whether a server has it. */
import type { ContractChange } from '../compare/contract-change';

/** What a version has to be raised by. */
export type VersionStep = 'major' | 'minor' | 'patch' | 'none';

/** What changes ask for: `major` for what breaks, `minor` for what is new or a matter of security, `patch` for the rest. */
export function askedStep(changes: readonly ContractChange[]): VersionStep {
  if (changes.length === 0) return 'none';
  if (changes.some(({ level }) => level === 'breaking')) return 'major';
  const isMore = ({ level, code }: ContractChange): boolean => level === 'security' || code !== 'spelling';
  return changes.some(isMore) ? 'minor' : 'patch';
}

/**
 * The lowest version that changes ask for; undefined if the old one is no version of three numbers. Below 1.0.0, what breaks raises the second
 * number, and the rest the third.
 */
export function askedVersion(before: string, changes: readonly ContractChange[]): string | undefined {
  const numbers = numbersOf(before);
  if (!numbers) return undefined;
  const [major, minor, patch] = numbers;
  const step = askedStep(changes);
  if (step === 'none') return `${major}.${minor}.${patch}`;
  if (major === 0) return step === 'major' ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  if (step === 'major') return `${major + 1}.0.0`;
  return step === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Whether a version is at least another; false if one of them is no version of three numbers. */
export function isAtLeast(version: string, asked: string): boolean {
  const [own, wanted] = [numbersOf(version), numbersOf(asked)];
  if (!own || !wanted) return false;
  const index = own.findIndex((number, place) => number !== wanted[place]);
  return index < 0 || (own[index] ?? 0) > (wanted[index] ?? 0);
}

function numbersOf(version: string): readonly [number, number, number] | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}
