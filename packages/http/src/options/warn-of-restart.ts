/** The warning of a server without secrets about what clients cannot continue after a restart. */
import type { TransportHost } from '@sigil-mcp/core/adapter';

/** How many entries the warning names. */
const NAMED = 5;

/** Warns in production, where a process is restarted while clients are in the middle of something. */
export function warnOfRestart(
  { lostByRestart = [], logger }: Pick<TransportHost, 'lostByRestart' | 'logger'>,
  environment: NodeJS.ProcessEnv,
): void {
  if (environment['NODE_ENV'] !== 'production' || lostByRestart.length === 0) return;
  const more = lostByRestart.length > NAMED ? `, and ${lostByRestart.length - NAMED} more` : '';
  const names = lostByRestart.slice(0, NAMED).join(', ') + more;
  logger.warn(
    {},
    `SIGIL_SECRETS is not set: questions and pages of ${names} that clients have not finished do not survive a restart of this process. Set it to one value of 32 characters or more.`,
  );
}
