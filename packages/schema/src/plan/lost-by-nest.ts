/**
 * Classes made by `@nestjs/mapped-types`: it copies the metadata of class-validator and class-transformer, but not ours, and its
 * partial classes keep their defaults. The differences are found, so that they can be reported.
 */
import { factsByMember } from '@sigil-mcp/base/facts';
import { withBases, type Class } from '@sigil-mcp/base';
import { descriptions, listedKeywords, nullables, records, sensitives, unions, valueTitles } from '../dto-facts';
import { findMetadata, findSharing } from '../rules/validator-metadata';

/** How a mapped class of NestJS differs from ours. */
export interface LostByNest {
  /** `@Describe on title`. */
  readonly words: readonly string[];
  /** The properties of a partial class that have a default although they were not sent. */
  readonly defaults: readonly string[];
}

/** The facts that a class loses, and the defaults that it keeps; undefined for any other class. */
export function findLostByNest(dto: Class, sample: object): LostByNest | undefined {
  const made = withBases(dto).find(isMadeByNest);
  if (!made) return undefined;
  return {
    words: [...findMetadata(made).keys()].flatMap((name) => lostOf(made, name)),
    defaults: made.name.startsWith('Partial') ? definedNames(sample, made) : [],
  };
}

/** All constructors of that library call this function, and those of its variants for OpenAPI and GraphQL. */
function isMadeByNest(dto: Class): boolean {
  return Function.prototype.toString.call(dto).includes('inheritPropertyInitializers');
}

function lostOf(made: Class, name: string): string[] {
  const source = findSource(made, name);
  if (!source) return [];
  const has = (dto: Class): Set<string> => new Set(factWords(dto, name));
  const kept = has(made);
  return [...has(source)].filter((word) => !kept.has(word)).map((word) => `${word} on ${name}`);
}

/** The class that a property was copied from. */
function findSource(made: Class, name: string): Class | undefined {
  return findSharing(made, name).find((other) => !isMadeByNest(other));
}

function factWords(dto: Class, name: string): string[] {
  const listed = factsByMember(listedKeywords, dto).get(name) ?? [];
  return [
    ...(factsByMember(descriptions, dto).has(name) ? ['@Describe'] : []),
    ...(factsByMember(nullables, dto).has(name) ? ['@Nullable'] : []),
    ...(factsByMember(sensitives, dto).has(name) ? ['@Sensitive'] : []),
    ...(factsByMember(valueTitles, dto).has(name) ? ['@ValueTitles'] : []),
    ...(factsByMember(unions, dto).has(name) ? ['@AnyOf'] : []),
    ...(factsByMember(records, dto).has(name) ? ['@RecordOf'] : []),
    ...listed.map(({ decorator }) => decorator),
  ];
}

function definedNames(sample: object, made: Class): string[] {
  const known = findMetadata(made);
  return Object.entries(sample).flatMap(([name, value]) => (value !== undefined && known.has(name) ? [name] : []));
}
