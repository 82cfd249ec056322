/** The facts of `@Inject` and `@Injectable`, which the container reads. */
import { factKind } from '@sigil-mcp/base/facts';
import type { Class } from '@sigil-mcp/base';
import type { Token } from './provider';

/** Token of one constructor parameter. */
export interface InjectFact {
  /** The class that has the constructor; a subclass may have another one. */
  readonly owner: Class;
  /** Position of the parameter, from 0. */
  readonly index: number;
  readonly token: Token;
}

/** What `@Inject` writes, on the member `constructor`. */
export const INJECT = factKind<InjectFact>('inject');

/** How long an instance lives. */
export interface ScopeFact {
  /** `'request'`: as long as one call; undefined: as long as the server. */
  readonly scope: 'request' | undefined;
}

/** What `@Injectable` writes. */
export const SCOPE = factKind<ScopeFact>('scope');
