/** Any error that prevents an answer -> the refusal that the client gets. */
import { randomUUID } from 'node:crypto';
import { Denial, type Logger } from '@sigil-mcp/core';
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { denied } from './denied';
import { Refusal } from './refusal';

/** A refusal as it is, a denial with its status. Any other error is logged, and masked with 500. */
export function refusalOf(error: unknown, logger: Logger): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Denial) return denied(error);
  const errorId = randomUUID();
  logger.error({ errorId, err: error }, 'An HTTP request failed unexpectedly');
  return new Refusal(500, {
    code: ERROR_CODES['internal-error'],
    message: `Internal error (id ${errorId}). The server's log has the details under this id.`,
  });
}
