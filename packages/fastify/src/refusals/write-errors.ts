/** Whatever goes wrong in an endpoint's scope, Fastify's own failures included, is answered with a JSON-RPC body. */
import { Denial, type Logger } from '@sigil-mcp/core';
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from './header-text';
import { Refusal, refusal, sendRefusal } from './refusal';

/** What Fastify refuses by itself, in words that say what to do. */
const FASTIFY_FAILURES: Readonly<Record<string, (limit: number) => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (limit) => refusal(413, `The body is larger than ${limit} bytes (bodyLimit).`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refusal(415, 'The Content-Type must be application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => refusal(400, 'The body is not as long as Content-Length says.'),
};

/**
 * Makes an error handler for `setErrorHandler`. An error that nobody foresaw is logged, and masked with 500.
 * @param bodyLimit bytes, for the words about a body that is larger
 */
export function writeErrors(logger: Logger, bodyLimit: number) {
  return (error: FastifyError | Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendRefusal(reply, refusalOf(error, logger, bodyLimit));
}

function refusalOf(error: FastifyError | Error, logger: Logger, bodyLimit: number): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Denial) return denied(error);
  const known = 'code' in error ? FASTIFY_FAILURES[error.code] : undefined;
  if (known) return known(bodyLimit);
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) return refusal(status, 'The request could not be read.');
  const errorId = randomUUID();
  logger.error({ errorId, err: error }, 'An HTTP request failed unexpectedly');
  return new Refusal(500, {
    code: ERROR_CODES['internal-error'],
    message: `Internal error (id ${errorId}). The server's log has the details under this id.`,
  });
}

function denied(denial: Denial): Refusal {
  const headers = denial.challenge === undefined ? undefined : { 'www-authenticate': headerText(denial.challenge) };
  const code = typeof denial.error === 'number' ? denial.error : ERROR_CODES['invalid-request'];
  return new Refusal(denial.status, { code, message: denial.message }, headers);
}
