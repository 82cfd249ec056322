/** One property before it is planned: all facts from its decorators and the compiler. */
import type { Class } from '@sigil-mcp/base';
import type { RecordFact, UnionFact } from '../dto-facts';
import type { ReportDto } from './dto-problems';
import type { DraftCache } from './draft-cache';
import type { JsonSchema } from '../json-schema';
import type { Direction } from '../plain/transformer-storage';
import type { TransformerRules } from '../rules/transformer-rules';
import type { PropertyRules } from '../rules/validator-metadata';
import type { ClassPlan, Tag, Kind } from '../value-plan';
import { type Rule, isPlain, type PlainRule } from '../rules/rule';
import { isOwnClass, kindsOfType, kindOf, kindWords } from './value-types';
import { comparable } from '../rules/constraint-meaning';
import { decoratorName } from '../rules/decorator-name';

/** The state that the properties of all classes in one plan share. */
export interface Planning {
  readonly direction: Direction;
  /** Problems that are not unsafe are warnings; the property is read as far as possible. */
  readonly lenient: boolean;
  readonly report: ReportDto;
  /** Receives warnings: properties that say too little, but work. */
  readonly tell: ReportDto;
  readonly known: DraftCache;
  /** The plan of another class; a class that is already being planned returns the same plan, still without properties. */
  planClass(dto: Class, tag?: Tag): ClassPlan;
  /** Registers a check that is possible only when all classes are planned. */
  later(check: () => void): void;
}

/** All facts about one property. */
export interface PropertySource {
  readonly dto: Class;
  readonly name: string;
  readonly description: string | undefined;
  readonly nullable: boolean;
  /** The type that the compiler emitted. */
  readonly emitted: unknown;
  readonly rules: PropertyRules;
  readonly transformer: TransformerRules;
  readonly union: UnionFact | undefined;
  readonly record: RecordFact | undefined;
  readonly extraKeywords: JsonSchema;
  /** The only values, if another decorator than a rule lists them. */
  readonly choices: readonly unknown[] | undefined;
  readonly planning: Planning;
}

/** The container of a property's values; undefined for a single value. */
export type ContainerKind = 'array' | 'set' | 'map' | 'record';

/** Determines the container of a property's values. */
export function containerOf({ rules, emitted, transformer, union, record }: PropertySource): ContainerKind | undefined {
  // A Map or a Set that the author's own @Transform makes is sent in the form that it has on the wire.
  const isConverted = transformer.transform !== undefined && transformer.type === undefined;
  const made = rules.rules.find(({ each, meaning }) => !each && meaning?.made)?.meaning?.made;
  if ((emitted === Map || made === 'Map') && !isConverted) return 'map';
  if ((emitted === Set || made === 'Set') && !isConverted) return 'set';
  if (record) return 'record';
  // For class-validator, `each` on a single instance applies to that instance.
  if ((rules.nested === 'items' && !isOwnClass(emitted)) || union?.each) return 'array';
  if (emitted === Array && !(isConverted && rules.rules.some(isAboutOne))) return 'array';
  // For class-validator, `each` is about each item if the value is a list: what is declared as one value stays one.
  const isOne = isOwnClass(emitted) || kindsOfType(emitted) !== undefined;
  const isList = rules.rules.some(({ each, meaning }) => (each && !isOne) || meaning?.kinds?.includes('array'));
  return isList ? 'array' : undefined;
}

/** Whether a rule accepts only values that are not lists: then a @Transform makes the list from such a value. */
function isAboutOne(rule: Rule): boolean {
  return !rule.each && kindsOfRule(rule)?.includes('array') === false;
}

/** The author's class of which a property, or an element of it, is an instance. */
export function nestedClass(source: PropertySource): Class | undefined {
  const { transformer, emitted, union } = source;
  if (union) return undefined;
  const named = recordType(source) ?? transformer.type;
  if (named !== undefined) return isOwnClass(named) ? named : undefined;
  return isOwnClass(emitted) && containerOf(source) === undefined ? emitted : undefined;
}

/** The type that `@RecordOf` names: null for a class that does not exist, undefined if it names none. */
export function recordType({ record }: PropertySource): unknown {
  if (!record?.values) return undefined;
  try {
    return record.values() ?? null;
  } catch {
    // A class that does not exist yet; the caller reports it as a definition error.
    return null;
  }
}

/** The types that `@AnyOf` names; undefined if they do not exist yet. */
export function unionMembers({ union }: PropertySource): readonly unknown[] | undefined {
  try {
    return union?.members();
  } catch {
    return undefined;
  }
}

/** The types that a rule lets pass; undefined where it says nothing of types. */
export function kindsOfRule(rule: Rule): readonly Kind[] | undefined {
  if (!isPlain(rule)) return undefined;
  const { kinds, allowed } = rule.meaning;
  return kinds ?? (allowed && [...new Set(comparable(allowed).map(kindOf))]);
}

/** `@IsInt() lets only a number pass`. */
export function lettingOnly(rule: PlainRule): string {
  return `${decoratorName(rule)} lets only ${kindWords(kindsOfRule(rule) ?? [])} pass`;
}
