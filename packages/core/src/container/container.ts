/** The port behind which objects are made; another container can be plugged in with `createServer({ container })`. */
import type { MaybePromise, ReportProblem } from '@sigil-mcp/base';
import type { Provider, Token } from './provider';

/** What is made for one call. */
export interface CallScope {
  /** The instance for a token: made for this call, or the one that the whole server shares. Rejects with what making it throws. */
  get(token: Token): Promise<unknown>;
  /** Runs the `onStop` hooks of what was made, dependents first; makes nothing from then on. Rejects with what they throw. */
  close(): Promise<void>;
}

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
  /**
   * Opens the scope of a call, when a value in it is requested for the first time; `stop` closes the scopes that are still open.
   * A container without this method has no providers of the scope `'request'`.
   * @param given values that exist already: under `McpContext`, the context of the call
   */
  openScope?(given: ReadonlyMap<Token, unknown>): CallScope;
  /** Runs the `onStart` hooks of instances that were built and not started yet, dependencies first. Rejects if one throws. */
  start(): Promise<void>;
  /** Runs the `onStop` hooks, dependents first; all of them, even if one fails. */
  stop(): MaybePromise<void>;
}
