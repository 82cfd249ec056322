/**
 * Whether this Node is too old, asked before anything else is loaded: the rest is written in a language that an old Node does
 * not read, that of @sigil-mcp/cli included, which therefore cannot be asked. This file keeps to what Node 6 reads.
 */

const OLDEST = [20, 19];

/** What is wrong with a Node, and what to do about it, a sentence each. */
export interface NodeProblem {
  readonly what: string;
  readonly fix: string;
}

/**
 * @param version as `process.versions.node` has it
 * @returns undefined if it is new enough
 */
export function nodeProblem(version: string): NodeProblem | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return {
    what: `This is Node ${version}; Sigil needs ${OLDEST.join('.')} or newer.`,
    fix: 'Install a newer Node from https://nodejs.org, or choose one with nvm, fnm or volta, and try again.',
  };
}
