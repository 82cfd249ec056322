/**
 * The checks of a request's head, in order, before a byte of its body is read.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { BodyCheck, HeadCheck } from './check';
import { checkHost } from './host';
import { checkAccept, checkContentType, checkEncoding } from './media-types';
import { checkAccepting } from './accepting';
import { checkOrigin } from './origin';

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
