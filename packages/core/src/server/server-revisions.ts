/** From a server's options to the revisions that it serves. */
import { ALL_REVISIONS, ServedRevisions } from '@sigil-mcp/protocol';
import { problem, type ReportProblem } from '../errors/definition-error';
import type { ServerOptions } from './server-options';

/** The revisions; undefined after it was reported that a kind of client could not be met. */
export function servedRevisionsOf(
  { revisions = ALL_REVISIONS }: ServerOptions,
  report: ReportProblem,
): ServedRevisions | undefined {
  const served = ServedRevisions.of(revisions);
  if (served instanceof ServedRevisions) return served;
  for (const kind of served) report(problem('SIGIL_REVISIONS', 'createServer({ revisions })', { kind }));
  return undefined;
}
