/**
 * Checks for an old Node before anything else is loaded: an old Node cannot parse the other modules, including those of
 * @sigil-mcp/cli, which has the same check. This file uses only syntax that Node 6 can parse.
 */

const OLDEST = [20, 19];

/** A problem with a Node and its solution, a sentence each. */
export interface NodeProblem {
  readonly problem: string;
  readonly fix: string;
}

/**
 * @param version as `process.versions.node` has it
 * @returns undefined if the version is new enough
 */
export function nodeProblem(version: string): NodeProblem | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return {
    problem: `This is Node ${version}; Sigil needs ${OLDEST.join('.')} or newer.`,
    fix: 'Install a newer Node from https://nodejs.org, or choose one with nvm, fnm or volta, and try again.',
  };
}
