/** The container that comes with the framework: constructor injection, one instance of each class per server. */
import { problem, type DefinitionProblem, type ReportProblem } from '../errors/definition-error';
import { sigilError } from '../errors/sigil-error';
import type { Container } from './container';
import { nameOfToken, type Constructor, type Provider, type Token } from './provider';
import { classRecipe, readProvider, UNKNOWN, type Recipe } from './recipe';

/**
 * Builds in the order of dependencies; nothing is shared with another server. `createServer` makes one if it is given none.
 * @example createServer({ name: 'weather', version: '1.0.0', container: new SingletonContainer() });
 */
export class SingletonContainer implements Container {
  /** What was prepared, dependencies first: a `Map` keeps the order in which it was filled. */
  readonly #recipes = new Map<Token, Recipe>();
  readonly #instances = new Map<Token, unknown>();
  /** What was started, and so has to be stopped, with the token that it was built for. */
  readonly #started = new Map<unknown, Token>();

  prepare(providers: readonly Provider[], roots: readonly Token[], report: ReportProblem): void {
    const known = new Map<Token, Recipe>();
    for (const provider of providers) {
      const recipe = readProvider(provider, report);
      known.set(recipe.token, recipe);
    }
    for (const token of [...known.keys(), ...roots]) this.#order(token, [], known, report);
  }

  /** The tokens of what was prepared, dependencies first. */
  tokens(): Iterable<Token> {
    return this.#recipes.keys();
  }

  async build(): Promise<void> {
    try {
      for (const [token, { dependencies, make }] of this.#recipes) {
        if (this.#instances.has(token)) continue;
        this.#instances.set(token, await make(dependencies.map((dependency) => this.get(dependency))));
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
    const failures: unknown[] = [];
    const started = [...this.#started].reverse();
    this.#started.clear();
    for (const [instance, token] of started) {
      try {
        if (hasHook(instance, 'onStop')) await runHook('SIGIL_STOP_HOOK', token, () => instance.onStop());
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length === 0) return;
    throw sigilError('SIGIL_STOP_HOOKS', { count: failures.length }, { cause: new AggregateError(failures) });
  }

  /** What could not be built or started is as if it had never been prepared, and in nobody's way. */
  #forgetUnstarted(): void {
    for (const token of [...this.#recipes.keys()]) {
      if (this.#started.has(this.#instances.get(token))) continue;
      this.#recipes.delete(token);
      this.#instances.delete(token);
    }
  }

  /** Depth first, so that each recipe comes after those it needs. */
  #order(token: Token, path: readonly Token[], known: ReadonlyMap<Token, Recipe>, report: ReportProblem): void {
    if (path.includes(token)) return report(cycle([...path.slice(path.indexOf(token)), token]));
    if (token === UNKNOWN || this.#recipes.has(token)) return;
    const recipe = known.get(token) ?? implicitRecipe(token, report);
    if (!recipe) return report(missing(token, path.at(-1)));
    for (const dependency of recipe.dependencies) this.#order(dependency, [...path, token], known, report);
    this.#recipes.set(token, recipe);
  }
}

/** The recipe of a token without a provider: a class needs none; undefined for what has only a name. */
function implicitRecipe(token: Token, report: ReportProblem): Recipe | undefined {
  // An abstract class passes here too; building it would fail, but TypeScript erases the difference.
  return typeof token === 'function' ? classRecipe(token, token as unknown as Constructor, report) : undefined;
}

function cycle(path: readonly Token[]): DefinitionProblem {
  return problem('SIGIL_DEPENDENCY_CYCLE', nameOfToken(path[0]), { path: path.map(nameOfToken).join(' -> ') });
}

function missing(token: Token, dependent: Token | undefined): DefinitionProblem {
  const where = dependent === undefined ? 'createServer' : nameOfToken(dependent);
  return problem('SIGIL_MISSING_PROVIDER', where, { token: nameOfToken(token) });
}

/** Runs a hook; what it throws names the class that it is of. */
async function runHook(code: 'SIGIL_START_HOOK' | 'SIGIL_STOP_HOOK', token: Token, hook: () => unknown): Promise<void> {
  try {
    await hook();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw sigilError(code, { owner: nameOfToken(token), reason }, { cause: error });
  }
}

function hasHook<H extends 'onStart' | 'onStop'>(instance: unknown, hook: H): instance is Record<H, () => unknown> {
  return (
    typeof instance === 'object' &&
    instance !== null &&
    hook in instance &&
    typeof (instance as Record<H, unknown>)[hook] === 'function'
  );
}
