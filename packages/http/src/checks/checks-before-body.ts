/**
 * The checks of a request's head, in order, before a byte of its body is read.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import { closing } from '../refusals/refusal';
import type { BodyCheck, CheckedEndpoint, HeadCheck } from './check';
import { checkHost, checkOrigin } from './host-and-origin';
import { checkAccept, checkContentType, checkEncoding } from './media-types';

/** Refuses with 503 after the server has stopped accepting requests: connections that were opened before send some. */
export function checkAccepting({ readiness }: Pick<CheckedEndpoint, 'readiness'>): void {
  if (!readiness.isOpen) throw closing();
}

/** The checks of every request with a supported method; authentication follows them. */
export const HEAD_CHECKS: readonly HeadCheck[] = [
  (_request, endpoint) => checkAccepting(endpoint),
  checkHost,
  checkOrigin,
];

/** The checks of every POST of Streamable HTTP, after its caller is known. */
export const BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding, checkAccept];

/** The checks of every POST of the HTTP+SSE transport, which is not answered on the POST: any `Accept` header is valid. */
export const SSE_BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding];
