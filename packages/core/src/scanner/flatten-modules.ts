/** Nested modules -> a list; each module with the settings that the modules around it add to its entries. */
import type { Provider } from '../container/provider';
import { problem } from '../errors/catalogue';
import {
  checkOptions,
  isObject,
  nameValue,
  OPTION_RULES,
  withOthers,
  type OptionRule,
  type ReportProblem,
} from '@sigil-mcp/base';
import { featureSources } from './check-feature';
import { checkReferences } from './check-members';
import type { FeatureSource } from '../kinds/all-kinds';
import type { ModuleSurroundings } from '../members/member';
import { checkLevel, levelOf, type PolicyOptions } from '../members/read-policy';
import type { GuardReference, InterceptorReference } from '../decorators/create-fact';

/** A module of a server: features with their dependencies, optionally under a name of its own. */
export interface Module extends PolicyOptions {
  /** Its name in messages; its prefix, or its place among the modules, if left out. */
  readonly name?: string;
  /** Its entries: classes with `@Feature`, and the results of `tool`, `resource` and `prompt`; none if left out. */
  readonly features?: readonly FeatureSource[];
  /**
   * Providers of dependencies, for every class of the server. A provider of `createServer({ providers })` replaces one with the same token.
   * None if left out.
   */
  readonly providers?: readonly Provider[];
  /** Guards for its own entries, called after those of the server and before those of classes and methods; none if left out. */
  readonly guards?: readonly GuardReference[];
  /** Interceptors around the handlers of its own entries, outside of those of classes and methods; none if left out. */
  readonly interceptors?: readonly InterceptorReference[];
  /**
   * The prefix of the names of its tools and prompts: `search` becomes `books_search` under `books`. URIs stay unchanged. No prefix if
   * left out.
   */
  readonly prefix?: string;
  /** Modules within it, to which its prefix, guards, interceptors and scopes apply as well; none if left out. */
  readonly modules?: readonly Module[];
}

/** A module in the flat list. */
export interface FlatModule {
  readonly surroundings: ModuleSurroundings;
  readonly features: readonly FeatureSource[];
  readonly providers: readonly Provider[];
}

/** The characters of a prefix: it becomes a part of tool names. */
const PREFIX = /^[A-Za-z0-9_.-]{1,64}$/;

/** Those that are undefined are checked where they are read, which says more about them. */
const MEMBERS: Readonly<Record<keyof Module, OptionRule | undefined>> = {
  name: OPTION_RULES.anyText,
  features: undefined,
  providers: OPTION_RULES.list,
  guards: OPTION_RULES.list,
  interceptors: OPTION_RULES.list,
  prefix: undefined,
  modules: undefined,
  scopes: undefined,
  public: OPTION_RULES.flag,
};

/** An instance of a class may have state of its own. */
const RULES = withOthers(MEMBERS, { onlyInstances: true });

const OUTSIDE: ModuleSurroundings = { label: '', prefix: '', guards: [], interceptors: [], policies: [] };

/**
 * @param modules the value of `createServer({ modules })`; JavaScript, or a cast, may pass any value
 * @returns each module once, at its first occurrence, before the modules within it
 */
export function flattenModules(modules: unknown, report: ReportProblem): readonly FlatModule[] {
  const met = new Set<unknown>();
  const flatten = (list: unknown, outer: ModuleSurroundings, place: string): FlatModule[] => {
    if (!Array.isArray(list)) {
      report(problem('SIGIL_MODULES', place, { value: nameValue(list) }));
      return [];
    }
    return (list as unknown[]).flatMap((value, index): FlatModule[] => {
      const where = outer === OUTSIDE ? `${place}[${index}]` : place;
      if (!isObject(value)) {
        report(problem('SIGIL_NOT_A_MODULE', where, { value: nameValue(value) }));
        return [];
      }
      if (met.has(value)) return [];
      met.add(value);
      // The type promises what its members are; each member that is used is checked.
      const module = value as Module;
      const label = labelOf(module, index);
      if (!checkOptions(`${label}: defineModule`, value, RULES, report)) return [];
      const surroundings = surroundingsOf(module, outer, label, report);
      const features = featureSources(module.features ?? [], report, surroundings.label);
      const flat = { surroundings, features, providers: module.providers ?? [] };
      return [flat, ...flatten(module.modules ?? [], surroundings, surroundings.label)];
    });
  };
  return flatten(modules, OUTSIDE, 'createServer({ modules })');
}

function labelOf({ name, prefix }: Module, index: number): string {
  return `module ${name || prefix || `[${index}]`}`;
}

function surroundingsOf(
  module: Module,
  outer: ModuleSurroundings,
  label: string,
  report: ReportProblem,
): ModuleSurroundings {
  const { guards = [], interceptors = [] } = module;
  const prefix = prefixOf(module, label, report);
  const level = levelOf(module);
  const policy = checkLevel(level, label, report) ? level : [];
  checkReferences({ guards, interceptors }, () => label, report);
  return {
    label,
    prefix: prefix === undefined ? outer.prefix : `${outer.prefix}${prefix}_`,
    guards: [...outer.guards, ...guards],
    interceptors: [...outer.interceptors, ...interceptors],
    policies: [...outer.policies, policy],
  };
}

/** Reports a prefix that is not valid, and then ignores it: one problem is enough. */
function prefixOf({ prefix }: Module, label: string, report: ReportProblem): string | undefined {
  if (prefix === undefined || PREFIX.test(prefix)) return prefix;
  report(problem('SIGIL_MODULE_PREFIX', label, { prefix: JSON.stringify(prefix) }));
  return undefined;
}

/**
 * Defines a module, to be put into `createServer({ modules })` or into another module. It is a plain value: it has no effect before a
 * server is made with it, and several servers may use it.
 * @returns its argument
 * @example
 * export const books = defineModule({ prefix: 'books', features: [BooksFeature], providers: [BookShelf], guards: [WithCard] });
 * const server = createServer({ name: 'library', version: '1.0.0', modules: [books] });
 */
export function defineModule<const M extends Module>(module: M): M {
  return module;
}
