/** What wraps calls: timing, caching, translation, auditing. */
import type { Call } from './call';

/**
 * Built by the container. On the server it wraps every method, lists, refusals and invalid arguments included; on a class
 * or a method it wraps the handler, after its input was read.
 */
export interface Interceptor {
  /**
   * @param next runs what is inside and resolves to its result; at most once
   * @returns the result to go on with
   */
  intercept(call: Call, next: () => Promise<unknown>): Promise<unknown>;
}
