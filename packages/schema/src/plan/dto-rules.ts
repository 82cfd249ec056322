/** All decorators of a class's properties, ours and those of the two libraries, and which class's rules apply to each property. */
import {
  descriptions,
  nullables,
  records,
  listedKeywords,
  type ListedKeywords,
  unions,
  type RecordFact,
  type UnionFact,
} from '../dto-facts';
import { membersOf } from '@sigil-mcp/base/facts';
import type { Class } from '@sigil-mcp/base';
import type { PropertySource } from './property-source';
import { isTransformed } from '../plain/transformer-storage';
import type { ValidatorMetadata } from '../rules/rule';
import { findMetadata, findSpeaker, isAbove, overriddenFacts } from '../rules/validator-metadata';
import { readApiProperties, type ApiProperty } from '../rules/api-properties';

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
export interface NearestRules extends Pick<PropertySource, 'nullable' | 'union' | 'record'> {
  /** The class whose rules they are. */
  readonly speaker: unknown;
  readonly rules: readonly ValidatorMetadata[] | undefined;
}
