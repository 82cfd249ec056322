/** All decorators of a class's properties, ours and those of the two libraries, and which class's rules apply to each property. */
import type { Class } from '@sigil-mcp/base';
import { membersOf } from '@sigil-mcp/base/facts';
import {
  descriptions,
  listedKeywords,
  nullables,
  records,
  unions,
  type ListedKeywords,
  type RecordFact,
  type UnionFact,
} from '../dto-facts';
import { isTransformed, type Direction } from '../plain/transformer-storage';
import { readApiProperties, type ApiProperty } from '../rules/api-properties';
import { comparable } from '../rules/constraint';
import { decoratorName, isPlain, type PlainRule, type Rule, type ValidatorMetadata } from '../rules/rule';
import type { TransformerRules } from '../rules/transformer-rules';
import { findMetadata, findSpeaker, isAbove, overriddenFacts, type PropertyRules } from '../rules/validator-metadata';
import type { ClassPlan, JsonSchema, Kind, Tag } from '../value-plan';
import type { DraftCache } from './draft-cache';
import type { ReportDto } from './dto-problems';
import { isOwnClass, kindOf, kindsOfType, kindWords } from './value-types';

/** The facts from the decorators of a class, by property; most kinds are absent. */
export interface DtoFacts {
  readonly rules: ReadonlyMap<string, readonly ValidatorMetadata[]>;
  readonly descriptions: ReadonlyMap<string, readonly string[]> | undefined;
  readonly nullables: ReadonlyMap<string, readonly true[]> | undefined;
  readonly unions: ReadonlyMap<string, readonly UnionFact[]> | undefined;
  readonly records: ReadonlyMap<string, readonly RecordFact[]> | undefined;
  readonly keywords: ReadonlyMap<string, readonly ListedKeywords[]> | undefined;
  /** Of @nestjs/swagger. */
  readonly api: ReadonlyMap<string, ApiProperty> | undefined;
  readonly transformed: boolean;
}

/** Reads the facts, once for a class. */
export function readFacts(dto: Class): DtoFacts {
  const members = membersOf(dto);
  return {
    rules: findMetadata(dto),
    descriptions: members.of(descriptions),
    nullables: members.of(nullables),
    unions: members.of(unions),
    records: members.of(records),
    keywords: members.of(listedKeywords),
    api: readApiProperties(dto),
    transformed: isTransformed(dto),
  };
}

/** Whether any property of a class has a decorator, so that the class describes data. */
export function hasRules(dto: Class): boolean {
  const { transformed: _, ...said } = readFacts(dto);
  return Object.values(said).some((known) => known !== undefined && known.size > 0);
}

/** Decorated properties in source order, base classes first; then those that only the constructor defines. */
export function declaredNames(facts: DtoFacts, sample: object): string[] {
  const declared = new Set<string>();
  const { rules, descriptions: words, nullables: nulls, unions: types, records: values, keywords, api } = facts;
  for (const known of [rules, types, values, words, nulls, keywords, api]) {
    if (known) for (const name of known.keys()) declared.add(name);
  }
  // The only place besides the readers where a DTO is read by name without its class.
  const members = sample as Readonly<Record<string, unknown>>;
  const constructed = Object.keys(sample).filter((name) => typeof members[name] !== 'function');
  for (const name of constructed) declared.add(name);
  // Class fields are defined in source order, which is more reliable than the order of the decorators.
  const inSource = constructed.filter((name) => declared.has(name));
  return inSource.length === declared.size ? inSource : [...declared];
}

/** The rules of the nearest class that has rules for a property, without those that it overrides. */
export function nearestRules(dto: Class, name: string, facts: DtoFacts): NearestRules {
  const rules = facts.rules.get(name);
  const hasOwnRules = facts.unions?.has(name) === true || facts.records?.has(name) === true;
  const owner = rules?.[0]?.target;
  const speaker = hasOwnRules ? findSpeaker(dto, name, owner) : owner;
  const overridden = hasOwnRules || facts.nullables?.has(name) ? overriddenFacts(dto, name, speaker) : [];
  return {
    speaker,
    nullable: facts.nullables?.has(name) === true && !overridden.includes(nullables),
    rules: isAbove(owner, speaker) ? undefined : rules,
    union: overridden.includes(unions) ? undefined : facts.unions?.get(name)?.[0],
    record: overridden.includes(records) ? undefined : facts.records?.get(name)?.[0],
  };
}

/** The rules of a property. */
interface NearestRules extends Pick<PropertySource, 'nullable' | 'union' | 'record'> {
  /** The class whose rules they are. */
  readonly speaker: unknown;
  readonly rules: readonly ValidatorMetadata[] | undefined;
}

// One property before it is planned: all facts from its decorators and the compiler.

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
