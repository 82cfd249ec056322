/** The rules of a file: which operations become tools, and how. Read once, and checked member by member. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import { failure } from '../errors';
import type { ApiOperation } from '../operations/operation';

/** What a rule changes of an operation. */
export interface OperationRule {
  /** The name of the tool. */
  readonly name?: string;
  readonly description?: string;
  /** The fields of the answer, with dots for nested ones: `user.login`. `*` stands for all fields. */
  readonly fields?: readonly string[];
  /** Arguments that no tool has. */
  readonly hide?: readonly string[];
  /** Values that each request sends. */
  readonly fix?: LooseObject;
  /** Descriptions of arguments. */
  readonly describe?: Readonly<Record<string, string>>;
}

/** The rules of a file. */
export interface Rules {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** By id, key or glob, in the order of the file: later ones count more. */
  readonly operations: readonly (readonly [pattern: string, rule: OperationRule])[];
}

/** Without a file. */
export const NO_RULES: Rules = { include: [], exclude: [], operations: [] };

const MEMBERS = ['include', 'exclude', 'operations'];
const OF_OPERATION: Readonly<Record<keyof OperationRule, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value),
  description: (value) => typeof value === 'string' && value.trim() !== '',
  fields: isTexts,
  hide: isTexts,
  fix: isObject,
  describe: (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
};

/**
 * Reads the content of a rules file.
 * @throws CliFailure that names the member that is wrong
 */
export function readRules(content: LooseObject, file: string): Rules {
  const refuse = (member: string, expected: string): never => {
    throw failure('SIGIL_OPENAPI_RULES', { file, member, expected });
  };
  for (const name of Object.keys(content)) if (!MEMBERS.includes(name)) refuse(name, `one of ${MEMBERS.join(', ')}`);
  const list = (name: string): readonly string[] => {
    const value = content[name] ?? [];
    return isTexts(value) ? value : refuse(name, 'a list of texts');
  };
  const given = content['operations'] ?? {};
  if (!isObject(given)) return refuse('operations', 'an object, with an operation as the name of each member');
  const operations = Object.entries(given).map(([pattern, rule]) => {
    if (!isObject(rule)) return refuse(`operations.${pattern}`, 'an object');
    for (const [name, value] of Object.entries(rule)) {
      const check = isRuleName(name) ? OF_OPERATION[name] : undefined;
      if (!check) refuse(`operations.${pattern}.${name}`, `one of ${Object.keys(OF_OPERATION).join(', ')}`);
      else if (!check(value)) refuse(`operations.${pattern}.${name}`, EXPECTED[name] ?? 'a text');
    }
    // Each member was checked.
    return [pattern, rule] as const;
  });
  return { include: list('include'), exclude: list('exclude'), operations };
}

/** The rule of one operation: all that fit, together. */
export function ruleFor({ operations }: Rules, operation: ApiOperation): OperationRule {
  const fitting = operations.filter(([pattern]) => matchesAny(operation, [pattern]));
  return Object.assign({}, ...fitting.map(([, rule]) => rule)) as OperationRule;
}

/** The patterns of a rules file that fit no operation. */
export function uselessPatterns({ include, exclude, operations }: Rules, all: readonly ApiOperation[]): string[] {
  const patterns = [...include, ...exclude, ...operations.map(([pattern]) => pattern)];
  return patterns.filter((pattern) => !all.some((operation) => matchesAny(operation, [pattern])));
}

const EXPECTED: Readonly<Record<string, string>> = {
  name: 'a name of letters, digits and _, up to 64',
  fields: 'a list of texts',
  hide: 'a list of texts',
  fix: 'an object of values by argument',
  describe: 'an object of texts by argument',
};

function isRuleName(name: string): name is keyof OperationRule {
  return Object.hasOwn(OF_OPERATION, name);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Whether one of the patterns fits an operation. */
export function matchesAny({ id, key, path }: ApiOperation, patterns: readonly string[]): boolean {
  const names = [key, path, ...(id === undefined ? [] : [id])];
  return patterns.some((pattern) => {
    if (names.includes(pattern)) return true;
    const expression = toExpression(pattern);
    return names.some((name) => expression.test(name));
  });
}

/** `*` stops at a slash, `**` does not. Upper and lower case are the same. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part.startsWith('**')) return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'i');
}
