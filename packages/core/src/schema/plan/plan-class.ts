/** DTO class -> plan. Reads every decorator once, at start-up, and reports all that is wrong with the class. */
import { descriptions, mappings, nullables, schemaKeywords } from '../dto-facts';
import { classFacts, emittedPropertyType, factsByMember, memberFactsOwner, ownClassFacts } from '../../facts/facts';
import type { Class } from '../../values/class';
import { constructTwice } from './construct-twice';
import { dtoProblems, type ReportDto } from './dto-problems';
import type { JsonSchema } from '../json-schema';
import { findLostByNest } from './lost-by-nest';
import { planProperty, type Planning } from './plan-property';
import { planPresence, type Draft } from './plan-presence';
import { isTransformed, readTransformerRules, untransformed, type Direction } from '../rules/transformer-rules';
import { readRules, type PropertyRules } from '../rules/validator-rules';
import type { ClassPlan, PropertyPlan } from '../value-plan';

const noKeywords: JsonSchema = {};
const noRules: PropertyRules = {
  rules: [], optional: false, anyValue: false, nested: undefined, conditions: [], owner: undefined,
}; // prettier-ignore

/** Plans a class and all that it contains. */
export function planClass(dto: Class, direction: Direction, report: ReportDto): ClassPlan {
  const plans = new Map<Class, ClassPlan>();
  const planning: Planning = {
    direction,
    report,
    planClass: (nested) => plans.get(nested) ?? plan(nested),
  };
  const plan = (next: Class): ClassPlan => {
    const opened = openPlan(next);
    plans.set(next, opened);
    const samples = constructTwice(opened.construct);
    if (samples === undefined) report(next, undefined, dtoProblems.notConstructible());
    reportMapping(next, samples?.[0] ?? {}, report);
    opened.properties = planProperties(next, samples ?? [{}, {}], planning);
    return opened;
  };
  return plan(dto);
}

function openPlan(dto: Class): ClassPlan {
  // A DTO is constructed without arguments; that an abstract class cannot be is the author's own contradiction.
  const Constructor = dto as unknown as new () => object;
  return { dto, description: ownClassFacts(descriptions, dto)[0], construct: () => new Constructor(), properties: [] };
}

function reportMapping(dto: Class, sample: object, report: ReportDto): void {
  const unknown = classFacts(mappings, dto).flatMap((mapping) => mapping.unknown);
  if (unknown.length > 0) report(dto, undefined, dtoProblems.mappedUnknown(unknown));
  const lost = findLostByNest(dto, sample);
  if (lost !== undefined) report(dto, undefined, dtoProblems.mappedByNest(lost));
}

function planProperties(dto: Class, samples: readonly [object, object], planning: Planning): PropertyPlan[] {
  const facts = readFacts(dto);
  const properties: PropertyPlan[] = [];
  for (const name of declaredNames(facts, samples[0])) {
    const draft = planOne(dto, name, { facts, planning });
    if (draft) properties.push(planPresence(draft, samples));
  }
  properties.forEach(({ name, wireName }, index) => {
    const taken = properties.slice(0, index).some((other) => other.wireName === wireName);
    if (taken) planning.report(dto, name, dtoProblems.twoNames(wireName));
  });
  return properties;
}

/** What the decorators of a class say, by property. */
interface DtoFacts {
  readonly rules: ReadonlyMap<string, PropertyRules>;
  readonly descriptions: ReadonlyMap<string, readonly string[]>;
  readonly nullables: ReadonlyMap<string, readonly true[]>;
  readonly keywords: ReadonlyMap<string, readonly JsonSchema[]>;
  readonly transformed: boolean;
}

function readFacts(dto: Class): DtoFacts {
  return {
    rules: readRules(dto),
    descriptions: factsByMember(descriptions, dto),
    nullables: factsByMember(nullables, dto),
    keywords: factsByMember(schemaKeywords, dto),
    transformed: isTransformed(dto),
  };
}

/** Decorated properties in source order, base classes first; then those that only the constructor knows. */
function declaredNames(facts: DtoFacts, sample: object): string[] {
  const declared = new Set<string>();
  for (const known of [facts.rules, facts.descriptions, facts.nullables, facts.keywords]) {
    for (const name of known.keys()) declared.add(name);
  }
  // The one place beside the readers where a DTO is read by name without knowing its class.
  const members = sample as Readonly<Record<string, unknown>>;
  const constructed = Object.keys(sample).filter((name) => typeof members[name] !== 'function');
  for (const name of constructed) declared.add(name);
  // Class fields are defined in source order, which says more than the order of the decorators.
  const inSource = constructed.filter((name) => declared.has(name));
  return inSource.length === declared.size ? inSource : [...declared];
}

interface Known {
  readonly facts: DtoFacts;
  readonly planning: Planning;
}

function planOne(dto: Class, name: string, { facts, planning }: Known): Draft | undefined {
  const rules = facts.rules.get(name);
  const read = facts.transformed ? readTransformerRules(dto, name, planning.direction) : untransformed(name);
  const transformer = overrides(rules, read.typedBy) ? { ...read, type: undefined, discriminated: false } : read;
  if (transformer.excluded) return undefined;
  const emitted = emittedPropertyType(dto, name);
  const keywords = facts.keywords.get(name);
  const description = facts.descriptions.get(name)?.[0];
  const nullable = facts.nullables.has(name) && !overrides(rules, memberFactsOwner(nullables, dto, name));
  const isDecorated =
    rules !== undefined || description !== undefined || nullable || keywords !== undefined || emitted !== undefined;
  if (!isDecorated) {
    planning.report(dto, name, dtoProblems.withoutDecorator());
    return undefined;
  }
  return planProperty({
    dto, name, description, nullable, emitted, transformer, planning,
    rules: rules ?? noRules,
    extraKeywords: keywords ? (Object.assign({}, ...keywords) as JsonSchema) : noKeywords,
  }); // prettier-ignore
}

/** Whether a class decorates a property anew, so that a rule of a base class of it holds no longer. */
function overrides(rules: PropertyRules | undefined, by: unknown): boolean {
  const { owner } = rules ?? noRules;
  return typeof owner === 'function' && typeof by === 'function' && owner !== by && owner.prototype instanceof by;
}
