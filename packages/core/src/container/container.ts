/** The port behind which objects are made; another container can be plugged in with `createServer({ container })`. */
import type { ReportProblem } from '../errors/definition-error';
import type { MaybePromise } from '../values/maybe-promise';
import type { Provider, Token } from './provider';

/** Makes and keeps the instances of one server. */
export interface Container {
  /**
   * Learns what there is to build, before it is built, and reports what cannot be. Called again when a feature is added to a
   * running server; then `build` and `start` follow again, for what is new. What fails then is forgotten.
   * @param providers what the user named
   * @param roots features, guards and interceptors that will be asked for
   */
  prepare(providers: readonly Provider[], roots: readonly Token[], report: ReportProblem): void;
  /** Builds everything that was prepared and is not built yet, each once, dependencies first. Rejects with what one throws. */
  build(): Promise<void>;
  /** The instance that was built for a token. Throws for a token that was not built. */
  get(token: Token): unknown;
  /** Runs the `onStart` hooks of what was built and not started yet, dependencies first. Rejects with what one throws. */
  start(): Promise<void>;
  /** Runs the `onStop` hooks, dependents first; all of them, also when one fails. */
  stop(): MaybePromise<void>;
}
