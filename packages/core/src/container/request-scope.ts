/** Instances of one call: each is made when it is requested for the first time, dependencies first, and released when the call ends. */
import { sigilError } from '../errors/catalogue';
import type { CallScope } from './container';
import { settleWithin, DefinitionError, SigilError } from '@sigil-mcp/base';
import { nameOfToken, type Recipe, type Token } from './provider';

/** The classes of errors that nobody throws to tell a client something: a class of the author's own may be meant for an interceptor. */
const UNFORESEEN: ReadonlySet<unknown> = new Set([Error, TypeError, RangeError, ReferenceError, SyntaxError, URIError]);

/** What a scope is opened with. */
export interface RequestScopeInit {
  /** What is there already: the call itself. */
  readonly given: ReadonlyMap<Token, unknown>;
  readonly recipes: ReadonlyMap<Token, Recipe>;
  /** The instance that the whole server shares. Throws for a token that has none. */
  readonly shared: (token: Token) => unknown;
  /** Whether an instance is one that the server shares, and stops itself: a factory may return one. */
  readonly isShared: (instance: unknown) => boolean;
  readonly onClosed: () => void;
}

/** Milliseconds that an unfinished instance has, once its call has ended. */
const LATEST = 1000;

/** The scope of one call. */
export class RequestScope implements CallScope {
  readonly #making = new Map<Token, Promise<unknown>>();
  /** Instances that were made and started, dependencies first. */
  readonly #made: [instance: unknown, token: Token][] = [];
  #closed: Promise<void> | undefined;
  /** Whether what was made is released: what comes later is so at once. */
  #isReleased = false;

  constructor(private readonly init: RequestScopeInit) {}

  async get(token: Token): Promise<unknown> {
    // What was made for the call has been released, or is about to be.
    if (this.#closed && this.init.recipes.get(token)?.perCall) throw over(token);
    return this.#get(token);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #get(token: Token): Promise<unknown> {
    const { given, recipes, shared } = this.init;
    if (given.has(token)) return given.get(token);
    const recipe = recipes.get(token);
    if (!recipe?.perCall) return shared(token);
    let made = this.#making.get(token);
    if (!made) {
      if (this.#closed) throw over(token);
      made = this.#make(recipe);
      this.#making.set(token, made);
    }
    return made;
  }

  async #make({ token, dependencies, make }: Recipe): Promise<unknown> {
    const built: unknown[] = [];
    for (const dependency of dependencies) built.push(await this.#get(dependency));
    const instance = await this.#run(token, () => make(built));
    if (this.init.isShared(instance)) return instance;
    if (hasHook(instance, 'onStart')) await runHook('SIGIL_START_HOOK', token, () => instance.onStart());
    if (this.#isReleased) {
      await runStopHooks([[instance, token]]);
      throw over(token);
    }
    this.#made.push([instance, token]);
    return instance;
  }

  async #run(token: Token, make: () => unknown): Promise<unknown> {
    try {
      return await make();
    } catch (error) {
      throw explainMakingForCall(token, error, this.init.recipes);
    }
  }

  async #close(): Promise<void> {
    // What is being made is waited for, because it may need what was made; not for ever, because that waits, too.
    await settleWithin(LATEST, Promise.allSettled(this.#making.values()));
    this.#isReleased = true;
    const failures = await runStopHooks(this.#made.reverse());
    this.init.onClosed();
    throwHookFailures(failures);
  }
}

function over(token: Token): Error {
  return sigilError('SIGIL_SCOPE_OVER', { token: nameOfToken(token) });
}

/** The same for an instance of one call; errors of further classes stay as they are, because code around the call may expect them. */
function explainMakingForCall(token: Token, error: unknown, recipes: ReadonlyMap<Token, Recipe>): unknown {
  const isUnforeseen = error instanceof Error && UNFORESEEN.has(error.constructor);
  return isUnforeseen ? explainMaking(token, error, recipes) : error;
}

/** Explains what was thrown while an instance was made. Errors with a code are clear already, and stay as they are. */
export function explainMaking(token: Token, error: unknown, recipes: ReadonlyMap<Token, Recipe>): unknown {
  if (error instanceof SigilError || error instanceof DefinitionError) return error;
  const names = [...recipes]
    .filter(([, recipe]) => recipe.dependencies.includes(token))
    .map(([user]) => nameOfToken(user));
  const needed = names.length === 0 ? '' : `, which ${names.join(' and ')} ${names.length === 1 ? 'needs' : 'need'}`;
  return sigilError(
    'SIGIL_NOT_CREATED',
    { owner: nameOfToken(token), needed, reason: reasonOf(error) },
    { cause: error },
  );
}

/** Runs a hook; what it throws names the class that it is of. */
export async function runHook(
  code: 'SIGIL_START_HOOK' | 'SIGIL_STOP_HOOK',
  token: Token,
  hook: () => unknown,
): Promise<void> {
  try {
    await hook();
  } catch (error) {
    throw sigilError(code, { owner: nameOfToken(token), reason: reasonOf(error) }, { cause: error });
  }
}

/** What an error says, with a stop at its end, because the fix follows as a sentence of its own. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return /[.!?]\s*$/.test(said) ? said : `${said}.`;
}

/** Whether an instance has a hook. */
export function hasHook<H extends 'onStart' | 'onStop'>(
  instance: unknown,
  hook: H,
): instance is Record<H, () => unknown> {
  return (
    typeof instance === 'object' &&
    instance !== null &&
    hook in instance &&
    typeof (instance as Record<H, unknown>)[hook] === 'function'
  );
}

/**
 * Runs the `onStop` hooks of what was made, in the order given; all of them, also when one fails.
 * @returns what they threw
 */
export async function runStopHooks(made: Iterable<readonly [instance: unknown, token: Token]>): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const [instance, token] of made) {
    try {
      if (hasHook(instance, 'onStop')) await runHook('SIGIL_STOP_HOOK', token, () => instance.onStop());
    } catch (failure) {
      failures.push(failure);
    }
  }
  return failures;
}

/** @throws SigilError with all that hooks threw, if any did */
export function throwHookFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  throw sigilError('SIGIL_STOP_HOOKS', { count: failures.length }, { cause: new AggregateError(failures) });
}
