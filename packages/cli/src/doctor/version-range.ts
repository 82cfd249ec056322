/** Whether a version is in a range, as npm reads both. */
import { satisfies, subset, valid, validRange } from 'semver';

/**
 * @param version of a package or of Node; one before a release counts as newer than all releases before it
 * @param range as a package.json has it
 * @returns true as well for what cannot be judged: a path, a tag, a protocol of a package manager
 */
export function isInRange(version: string, range: string): boolean {
  if (valid(version) === null || validRange(range) === null) return true;
  return satisfies(version, range, { includePrerelease: true });
}

/**
 * @param inner a range as a package.json has it
 * @returns whether all its versions are in the other one; true as well for what is no range
 */
export function isWithin(inner: string, outer: string): boolean {
  return validRange(inner) === null || subset(inner, outer);
}
