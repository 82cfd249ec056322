/** The container that comes with the framework: constructor injection, one instance of each class per server. */
import { problem, sigilError } from '../errors/catalogue';
import type { DefinitionProblem, ReportProblem } from '@sigil-mcp/base';
import type { CallScope, Container } from './container';
import {
  classRecipe,
  nameOfToken,
  readProvider,
  UNKNOWN,
  type Constructor,
  type Provider,
  type Recipe,
  type Token,
} from './provider';
import { RequestScope, explainMaking, hasHook, runHook, runStopHooks, throwHookFailures } from './request-scope';

/**
 * Builds dependencies first; shares nothing with other servers. `createServer` makes one if the option is left out.
 * @example createServer({ name: 'weather', version: '1.0.0', container: new SingletonContainer() });
 */
export class SingletonContainer implements Container {
  /** Prepared recipes, dependencies first: a `Map` keeps the insertion order. */
  readonly #recipes = new Map<Token, Recipe>();
  readonly #instances = new Map<Token, unknown>();
  /** Started instances, which must be stopped, each with the token that it was built for. */
  readonly #started = new Map<unknown, Token>();

  /** The scopes of running calls. */
  readonly #scopes = new Set<CallScope>();

  prepare(providers: readonly Provider[], roots: readonly Token[], report: ReportProblem): void {
    const known = new Map<Token, Recipe>();
    for (const provider of providers) {
      const recipe = readProvider(provider, report);
      known.set(recipe.token, recipe);
    }
    for (const token of [...known.keys(), ...roots]) this.#order(token, [], known, report);
    for (const token of new Set(roots)) {
      if (this.#recipes.get(token)?.perCall) report(problem('SIGIL_REQUEST_ROOT', nameOfToken(token)));
    }
  }

  /** The prepared tokens, dependencies first. */
  tokens(): Iterable<Token> {
    return this.#recipes.keys();
  }

  async build(): Promise<void> {
    try {
      for (const [token, { dependencies, make, perCall }] of this.#recipes) {
        if (perCall || this.#instances.has(token)) continue;
        const built = dependencies.map((dependency) => this.get(dependency));
        try {
          this.#instances.set(token, await make(built));
        } catch (error) {
          throw explainMaking(token, error, this.#recipes);
        }
      }
    } catch (error) {
      this.#forgetUnstarted();
      throw error;
    }
  }

  get(token: Token): unknown {
    if (!this.#instances.has(token)) throw sigilError('SIGIL_NOT_BUILT', { token: nameOfToken(token) });
    return this.#instances.get(token);
  }

  openScope(given: ReadonlyMap<Token, unknown>): CallScope {
    const scope: RequestScope = new RequestScope({
      given,
      recipes: this.#recipes,
      shared: (token) => this.get(token),
      isShared: (instance) => this.#started.has(instance),
      onClosed: () => this.#scopes.delete(scope),
    });
    this.#scopes.add(scope);
    return scope;
  }

  async start(): Promise<void> {
    try {
      for (const [token, instance] of [...this.#instances]) {
        if (this.#started.has(instance)) continue;
        if (hasHook(instance, 'onStart')) await runHook('SIGIL_START_HOOK', token, () => instance.onStart());
        this.#started.set(instance, token);
      }
    } catch (error) {
      this.#forgetUnstarted();
      throw error;
    }
  }

  async stop(): Promise<void> {
    // Instances of calls depend on the instances stopped below. Errors of a scope's end go to the code that opened the scope.
    await Promise.allSettled([...this.#scopes].map((scope) => scope.close()));
    const started = [...this.#started].reverse();
    this.#started.clear();
    throwHookFailures(await runStopHooks(started));
  }

  /** Forgets recipes that could not be built or started, so that they can be prepared again. */
  #forgetUnstarted(): void {
    for (const [token, { perCall }] of [...this.#recipes]) {
      if (perCall || this.#started.has(this.#instances.get(token))) continue;
      this.#recipes.delete(token);
      this.#instances.delete(token);
    }
  }

  /** Depth first, so that each recipe comes after those it needs. */
  #order(token: Token, path: readonly Recipe[], known: ReadonlyMap<Token, Recipe>, report: ReportProblem): void {
    const names = [...path.map((each) => each.token), token];
    const first = names.indexOf(token);
    if (first < path.length) return report(cycle(names.slice(first)));
    if (token === UNKNOWN) return;
    const done = this.#recipes.get(token);
    const recipe = done ?? known.get(token) ?? implicitRecipe(token, report);
    const dependent = path.at(-1);
    if (!recipe) return report(missing(token, dependent?.token));
    if (recipe.perCall && dependent?.perCall === false) report(shortLived(names));
    if (done) return;
    for (const dependency of recipe.dependencies) this.#order(dependency, [...path, recipe], known, report);
    this.#recipes.set(token, recipe);
  }
}

/** The recipe of a token without a provider: a class needs none; undefined for a token that is only a name. */
function implicitRecipe(token: Token, report: ReportProblem): Recipe | undefined {
  // An abstract class passes here too; building it would fail, but TypeScript erases the difference.
  return typeof token === 'function' ? classRecipe(token, token as unknown as Constructor, report) : undefined;
}

function cycle(path: readonly Token[]): DefinitionProblem {
  return problem('SIGIL_DEPENDENCY_CYCLE', nameOfToken(path[0]), { path: path.map(nameOfToken).join(' -> ') });
}

function shortLived(path: readonly Token[]): DefinitionProblem {
  const [token, owner] = [path.at(-1), path.at(-2)].map(nameOfToken);
  return problem('SIGIL_REQUEST_SCOPE', owner ?? '', { token: token ?? '', path: path.map(nameOfToken).join(' -> ') });
}

function missing(token: Token, dependent: Token | undefined): DefinitionProblem {
  const where = dependent === undefined ? 'createServer' : nameOfToken(dependent);
  return problem('SIGIL_MISSING_PROVIDER', where, { token: nameOfToken(token) });
}
