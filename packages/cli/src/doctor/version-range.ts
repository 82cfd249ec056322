/** Whether a version is in a range, by the rules of npm. */
import { satisfies, subset, valid, validRange } from 'semver';

/**
 * @param version of a package or of Node; a prerelease counts as newer than all earlier releases
 * @param range from a package.json
 * @returns also true for ranges that cannot be judged: a path, a tag, a protocol of a package manager
 */
export function isInRange(version: string, range: string): boolean {
  if (valid(version) === null || validRange(range) === null) return true;
  return satisfies(version, range, { includePrerelease: true });
}

/**
 * @param inner a range from a package.json
 * @returns whether all its versions are in the outer range; also true for an invalid range
 */
export function isWithin(inner: string, outer: string): boolean {
  return validRange(inner) === null || subset(inner, outer);
}
