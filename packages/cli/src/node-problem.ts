/**
 * Whether this Node is too old, asked before anything else is loaded: the rest is written in a language that an old Node does
 * not read. This file keeps to what Node 6 reads.
 */

const OLDEST = [20, 19];

/**
 * @param version as `process.versions.node` has it
 * @returns what is wrong and what to do about it, in two lines; undefined if nothing is
 */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return (
    `This is Node ${version}; Sigil needs ${OLDEST.join('.')} or newer.\n` +
    'Install a newer Node from https://nodejs.org, or choose one with nvm, fnm or volta, and try again.\n'
  );
}
