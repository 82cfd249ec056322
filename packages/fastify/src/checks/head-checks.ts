/**
 * The checks of a request's head, in the order in which they are made, before a byte of its body is read.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { BodyCheck, HeadCheck } from './check';
import { checkHost } from './host';
import { checkAccept, checkContentType, checkEncoding } from './media-types';
import { checkOpen } from './open';
import { checkOrigin } from './origin';

/** The checks of every request whose method is served; authentication follows them. */
export const HEAD_CHECKS: readonly HeadCheck[] = [checkOpen, checkHost, checkOrigin];

/** The checks of every POST of Streamable HTTP, once it is known who sends it. */
export const BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding, checkAccept];

/** The checks of every POST of the HTTP+SSE transport, whose answers do not come on the POST: any `Accept` header will do. */
export const SSE_BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding];
