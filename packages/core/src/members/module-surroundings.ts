/** What a module adds to each of its entries. */
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { PolicyLevel } from './read-policy';

/** The settings that a module adds to each of its entries. */
export interface ModuleSurroundings {
  /** The name of the module in messages: `module books`. */
  readonly label: string;
  /** The prefix of names, underscores included; empty for none. */
  readonly prefix: string;
  readonly guards: readonly GuardReference[];
  readonly interceptors: readonly InterceptorReference[];
  /** Its requirements for callers, and those of the modules around it; the outermost first. */
  readonly policies: readonly PolicyLevel[];
}
