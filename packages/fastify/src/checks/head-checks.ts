/**
 * The checks of a request's head, in the order in which they are made, before a byte of its body is read. All of them
 * throw a `Refusal`.
 * @see https://modelcontextprotocol.io/specification/draft/basic/transports
 */
import type { FastifyRequest } from 'fastify';
import type { EndpointSettings } from '../endpoint-options';
import { checkHost } from './host';
import { checkAccept, checkContentType, checkEncoding } from './media-types';
import { checkOrigin } from './origin';

/** What the checks of a request's head know of the endpoint. */
export interface HeadCheckScope {
  readonly settings: EndpointSettings;
  /** Whether the app is bound to loopback addresses only. */
  readonly isLoopback: boolean;
}

/** Looks at one thing. */
export type HeadCheck = (request: FastifyRequest, scope: HeadCheckScope) => void;

/** Made for every request, of any method; authentication follows them. */
export const HEAD_CHECKS: readonly HeadCheck[] = [checkHost, checkOrigin];

/** Looks at what a request says about its body. */
export type BodyCheck = (request: FastifyRequest) => void;

/** Made for every POST of Streamable HTTP, once it is known who sends it. */
export const BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding, checkAccept];

/** The same for the HTTP+SSE transport, whose answers do not come on the POST. */
export const SSE_BODY_CHECKS: readonly BodyCheck[] = [checkContentType, checkEncoding];
