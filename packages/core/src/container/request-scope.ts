/** Instances of one call: each is made when it is requested for the first time, dependencies first, and released when the call ends. */
import { sigilError } from '../errors/catalogue';
import type { CallScope } from './container';
import { explainMakingForCall } from './explain-making';
import { hasHook, runHook, runStopHooks, throwHookFailures } from './hooks';
import { settleWithin } from '@sigil-mcp/base';
import { nameOfToken, type Token } from './provider';
import type { Recipe } from './recipe';

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
