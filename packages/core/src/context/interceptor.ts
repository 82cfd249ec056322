/** The port of code that wraps calls: timing, caching, translation, auditing. */
import type { Call } from './call';

/**
 * Wraps calls. Built by the container. On the server it wraps every method, lists, refusals by guards and invalid arguments included; on a
 * class or a method it wraps the handler, after its input was read. An `Observer` sees requests that are refused before, too.
 * @example
 * class Timed implements Interceptor {
 *   async intercept({ method, context }: Call, next: () => Promise<unknown>): Promise<unknown> {
 *     const start = performance.now();
 *     const result = await next();
 *     context.log.debug(`${method} took ${performance.now() - start} ms`);
 *     return result;
 *   }
 * }
 */
export interface Interceptor {
  /**
   * @param next runs what is inside, at most once, and resolves to its result; rejects with what is thrown there
   * @returns the result to go on with: on the server that of the method, on a class or a method what the handler returned
   */
  intercept(call: Call, next: () => Promise<unknown>): Promise<unknown>;
}
