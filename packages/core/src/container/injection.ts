/** What `@Inject` says of a constructor's parameters; the container reads it. */
import { factKind } from '../facts/facts';
import type { Class } from '../values/class';
import type { Token } from './provider';

/** Token of one constructor parameter. */
export interface InjectFact {
  readonly owner: Class;
  readonly index: number;
  readonly token: Token;
}

/** Written on the member `constructor`. */
export const INJECT = factKind<InjectFact>('inject');
