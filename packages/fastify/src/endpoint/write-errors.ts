/** Answers every error in an endpoint's scope, Fastify's own failures included, with a JSON-RPC body. */
import { Denial, type Clock, type Logger } from '@sigil-mcp/core';
import type { Observers } from '@sigil-mcp/core/adapter';
import { Refusal, refusal, refusalOf, refused, reportRefusal, tooLarge, type HttpCall } from '@sigil-mcp/http/adapter';
import { dropRest } from '@sigil-mcp/http/node-adapter';
import { writeError } from '@sigil-mcp/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { answerPastHooks } from './send-response';

/** Errors of Fastify itself, with messages that say what to do. */
const FASTIFY_FAILURES: Readonly<Record<string, (limit: number) => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refusal(415, 'The Content-Type must be application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
};

/** The options of an error handler. */
export interface ErrorWriting {
  readonly logger: Logger;
  readonly clock: Clock;
  /** In bytes, for the message about a larger body. */
  readonly bodyLimit: number;
  /** Whether the app belongs to the author: errors of its own hooks are then answered by its own handler. */
  readonly isHosted: boolean;
  /** Undefined if nobody watches the server. */
  readonly observers: Observers | undefined;
  readonly callOf: (request: FastifyRequest, reply: FastifyReply) => HttpCall;
  /** The id of a request that could not be read, in the form of the client's revision; absent if left out. */
  readonly unreadableId?: (request: FastifyRequest, reply: FastifyReply) => null | undefined;
}

/** Makes an error handler for `setErrorHandler`. An unexpected error is logged, and masked with 500. */
export function writeErrors({ logger, clock, bodyLimit, isHosted, observers, callOf, unreadableId }: ErrorWriting) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (reply.raw.headersSent) return breakOff(error, reply, logger);
    // If a handler throws, Fastify calls the handler of the app around it.
    if (isHosted && isOfHost(error)) throw error;
    const found = refusalOfAny(error, logger, bodyLimit);
    if (observers) reportRefusal({ refusal: found, error }, callOf(request, reply), observers);
    if (found.status === 413 || isCutShort(request, reply)) {
      reply.removeHeader('connection');
      dropRest(request.raw, clock);
    }
    return refuse(reply, found.id === undefined ? found.about(unreadableId?.(request, reply)) : found, logger);
  };
}

function refuse(reply: FastifyReply, found: Refusal, logger: Logger): FastifyReply {
  const { status, headers, body } = refused(found);
  try {
    return reply.code(status).headers(headers).send(body);
  } catch (error) {
    logger.error({ err: error }, 'A refusal could not be sent');
    answerPastHooks(reply, writeError(found.id, found.error));
    return reply;
  }
}

/** Whether Fastify has stopped reading a body: it would close the connection while the client still sends the rest. */
function isCutShort({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  return reply.getHeader('connection') === 'close' && !raw.complete;
}

/** A response that has begun cannot be replaced. */
function breakOff(error: Error, reply: FastifyReply, logger: Logger): FastifyReply {
  logger.error({ err: error }, 'A response failed after it had begun');
  reply.raw.destroy();
  return reply.sent ? reply : reply.hijack();
}

/** Whether a hook of the host app refused a request, for example a rate limiter. */
function isOfHost(error: FastifyError | Error): boolean {
  if (error instanceof Refusal || error instanceof Denial) return false;
  return clientStatus(error) !== undefined && !('code' in error && String(error.code).startsWith('FST_ERR_'));
}

function clientStatus(error: FastifyError | Error): number | undefined {
  const status = 'statusCode' in error ? error.statusCode : undefined;
  return status !== undefined && status >= 400 && status < 500 ? status : undefined;
}

function refusalOfAny(error: FastifyError | Error, logger: Logger, bodyLimit: number): Refusal {
  const known = 'code' in error ? FASTIFY_FAILURES[error.code] : undefined;
  if (known) return known(bodyLimit);
  const status = clientStatus(error);
  // The errors of Sigil have a status of their own.
  if (status === undefined || error instanceof Refusal || error instanceof Denial) return refusalOf(error, logger);
  return refusal(status, isOfHost(error) ? error.message : 'The request could not be read.');
}
