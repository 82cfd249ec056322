/** What a check of a request's head is. All of them throw a `Refusal`. */
import type { FastifyRequest } from 'fastify';
import type { EndpointSettings } from '../options/endpoint-options';

/** What the checks of a request's head know of the endpoint. */
export interface CheckedEndpoint {
  readonly settings: EndpointSettings;
  /** Whether the app is bound to loopback addresses only. */
  readonly isLoopback: boolean;
  /** `Host` headers that were let in before. */
  readonly knownHosts: Set<string>;
  /** Whether requests are still taken; false once everything that ran was seen off. */
  readonly readiness: { readonly isOpen: boolean };
}

/** Looks at where a request comes from; throws a `Refusal`. */
export type HeadCheck = (request: FastifyRequest, scope: CheckedEndpoint) => void;

/** Looks at what a request says about its body, or about the answer it takes; throws a `Refusal`. */
export type BodyCheck = (request: FastifyRequest) => void;
