/** What is said of the properties of a class, by us and by the two libraries, and which class speaks for each. */
import {
  descriptions,
  nullables,
  records,
  schemaKeywords,
  unions,
  type RecordFact,
  type UnionFact,
} from '../dto-facts';
import { membersOf } from '../../facts/facts';
import type { Class } from '../../values/class';
import type { JsonSchema } from '../json-schema';
import type { PropertySource } from './property-source';
import { findSpeaker, isAbove, overriddenFacts } from '../rules/speaking-class';
import { isTransformed } from '../../plain/transformer-storage';
import type { ValidatorMetadata } from '../rules/rule';
import { findMetadata } from '../rules/validator-rules';
import { readApiProperties, type ApiProperty } from '../rules/api-properties';

/** What the decorators of a class say, by property; of most kinds nothing. */
export interface DtoFacts {
  readonly rules: ReadonlyMap<string, readonly ValidatorMetadata[]>;
  readonly descriptions: ReadonlyMap<string, readonly string[]> | undefined;
  readonly nullables: ReadonlyMap<string, readonly true[]> | undefined;
  readonly unions: ReadonlyMap<string, readonly UnionFact[]> | undefined;
  readonly records: ReadonlyMap<string, readonly RecordFact[]> | undefined;
  readonly keywords: ReadonlyMap<string, readonly JsonSchema[]> | undefined;
  /** Of @nestjs/swagger. */
  readonly api: ReadonlyMap<string, ApiProperty> | undefined;
  readonly transformed: boolean;
}

/** Reads them, once for a class. */
export function readFacts(dto: Class): DtoFacts {
  const members = membersOf(dto);
  return {
    rules: findMetadata(dto),
    descriptions: members.of(descriptions),
    nullables: members.of(nullables),
    unions: members.of(unions),
    records: members.of(records),
    keywords: members.of(schemaKeywords),
    api: readApiProperties(dto),
    transformed: isTransformed(dto),
  };
}

/** Whether anything is said of a property of a class, so that it is one of those that describe data. */
export function hasRules(dto: Class): boolean {
  const { transformed: _, ...said } = readFacts(dto);
  return Object.values(said).some((known) => known !== undefined && known.size > 0);
}

/** Decorated properties in source order, base classes first; then those that only the constructor knows. */
export function declaredNames(facts: DtoFacts, sample: object): string[] {
  const declared = new Set<string>();
  const { rules, descriptions: words, nullables: nulls, unions: types, records: values, keywords, api } = facts;
  for (const known of [rules, types, values, words, nulls, keywords, api]) {
    if (known) for (const name of known.keys()) declared.add(name);
  }
  // The one place beside the readers where a DTO is read by name without knowing its class.
  const members = sample as Readonly<Record<string, unknown>>;
  const constructed = Object.keys(sample).filter((name) => typeof members[name] !== 'function');
  for (const name of constructed) declared.add(name);
  // Class fields are defined in source order, which says more than the order of the decorators.
  const inSource = constructed.filter((name) => declared.has(name));
  return inSource.length === declared.size ? inSource : [...declared];
}

/** What the nearest class that has rules for a property says, and nothing of what that overrides. */
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
