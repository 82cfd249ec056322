/** `eachRevision` on the revisions of this run: the newest, the newest with a handshake, and those of the others that are sampled. */
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { eachRevision as eachOf, type RevisionCase, type RevisionRange } from '@sigil-mcp/testing';
import { sample } from './matrix';

const VERSIONS = ALL_REVISIONS.map(({ version }) => version);
/** What most clients speak; the others are older ones with a handshake. */
const ALWAYS = VERSIONS.slice(-2);
/** The revisions of this run, oldest first. */
export const REVISIONS = [...sample(VERSIONS.slice(0, -2)), ...ALWAYS];

/** The revisions of this run within a range, one at least. */
export function revisionsOf({ since = '', until = '9' }: RevisionRange = {}): readonly string[] {
  const meant = VERSIONS.filter((version) => version >= since && version <= until);
  const chosen = meant.filter((version) => REVISIONS.includes(version));
  return chosen.length > 0 ? chosen : sample(meant);
}

/** Declares a test for each revision of this run, and for one at least. */
export function eachRevision(
  title: string,
  test: (context: RevisionCase) => void | Promise<void>,
  range: RevisionRange = {},
): void {
  for (const version of revisionsOf(range)) eachOf(title, test, { since: version, until: version });
}
