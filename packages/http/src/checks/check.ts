/** The types of the checks of a request's head. All of them throw a `Refusal`. */
import type { EndpointSettings } from '../options/endpoint-options';
import type { HttpRequest } from '../port';

/** The data of the endpoint for these checks. */
export interface CheckedEndpoint {
  readonly settings: EndpointSettings;
  /** Whether only programs of this machine can connect. */
  readonly isLoopback: boolean;
  /** `Host` headers that were accepted before. */
  readonly knownHosts: Set<string>;
  /** Whether requests are still accepted; false after the shutdown has drained everything. */
  readonly readiness: { readonly isOpen: boolean };
}

/** Checks the origin of a request; throws a `Refusal`. */
export type HeadCheck = (request: HttpRequest, scope: CheckedEndpoint) => void;

/** Checks the headers about the body, or about the accepted answer; throws a `Refusal`. */
export type BodyCheck = (request: HttpRequest) => void;
