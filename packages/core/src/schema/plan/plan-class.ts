/** DTO class -> plan. Reads every decorator once, at start-up, and reports all that is wrong with the class. */
import {
  descriptions,
  mappings,
  nullables,
  records,
  schemaKeywords,
  unions,
  type RecordFact,
  type UnionFact,
} from '../dto-facts';
import { classFacts, emittedPropertyType, factsByMember, ownClassFacts } from '../../facts/facts';
import type { Class } from '../../values/class';
import { constructTwice } from './construct-twice';
import { dtoProblems, type ReportDto } from './dto-problems';
import type { JsonSchema } from '../json-schema';
import { findLostByNest } from './lost-by-nest';
import { planProperty } from './plan-property';
import type { Planning, PropertySource } from './property-source';
import { findSpeaker, isAbove, overriddenFacts } from '../rules/speaking-class';
import { planPresence, type Draft } from './plan-presence';
import { isTransformed, readTransformerRules, untransformed, type Direction } from '../rules/transformer-rules';
import { readRules, type PropertyRules } from '../rules/validator-rules';
import type { ClassPlan, PropertyPlan, Tag } from '../value-plan';

const noKeywords: JsonSchema = {};
const noRules: PropertyRules = {
  rules: [], optional: false, anyValue: false, nested: undefined, conditions: [], owner: undefined,
}; // prettier-ignore

/** Plans a class and all that it contains. */
export function planClass(dto: Class, direction: Direction, report: ReportDto): ClassPlan {
  const plans = new Map<Class, ClassPlan>();
  const tagged = new Map<ClassPlan, Map<string, ClassPlan>>();
  const checks: (() => void)[] = [];
  const planning: Planning = {
    direction,
    report,
    planClass: (nested, tag) => {
      const known = plans.get(nested) ?? plan(nested);
      return tag ? withTag(known, tag, tagged) : known;
    },
    later: (check) => void checks.push(check),
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
  const planned = plan(dto);
  for (const check of checks) check();
  return planned;
}

function openPlan(dto: Class): ClassPlan {
  // A DTO is constructed without arguments; that an abstract class cannot be is the author's own contradiction.
  const Constructor = dto as unknown as new () => object;
  const description = ownClassFacts(descriptions, dto)[0];
  return { dto, description, construct: () => new Constructor(), tag: undefined, properties: [] };
}

/** The plan of a class under one of its names: one plan for one name, so that one reader is made of it. */
function withTag(plan: ClassPlan, tag: Tag, known: Map<ClassPlan, Map<string, ClassPlan>>): ClassPlan {
  const tagged = known.get(plan) ?? new Map<string, ClassPlan>();
  const key = JSON.stringify([tag.property, tag.value, tag.kept]);
  const { dto, description, construct } = plan;
  const made = tagged.get(key) ?? {
    dto, description, construct, tag,
    // A class that is being planned has them later.
    get properties() {
      return plan.properties;
    },
  }; // prettier-ignore
  known.set(plan, tagged.set(key, made));
  return made;
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
  readonly unions: ReadonlyMap<string, readonly UnionFact[]>;
  readonly records: ReadonlyMap<string, readonly RecordFact[]>;
  readonly keywords: ReadonlyMap<string, readonly JsonSchema[]>;
  readonly transformed: boolean;
}

function readFacts(dto: Class): DtoFacts {
  return {
    rules: readRules(dto),
    descriptions: factsByMember(descriptions, dto),
    nullables: factsByMember(nullables, dto),
    unions: factsByMember(unions, dto),
    records: factsByMember(records, dto),
    keywords: factsByMember(schemaKeywords, dto),
    transformed: isTransformed(dto),
  };
}

/** Decorated properties in source order, base classes first; then those that only the constructor knows. */
function declaredNames(facts: DtoFacts, sample: object): string[] {
  const declared = new Set<string>();
  const { rules, descriptions: words, nullables: nulls, unions: types, records: values, keywords } = facts;
  for (const known of [rules, types, values, words, nulls, keywords]) {
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
  const read = facts.transformed ? readTransformerRules(dto, name, planning.direction) : untransformed(name);
  if (read.excluded) return undefined;
  const emitted = emittedPropertyType(dto, name);
  const keywords = facts.keywords.get(name);
  const description = facts.descriptions.get(name)?.[0];
  const said = nearestRules(dto, name, facts);
  const { rules, nullable, union, record } = said;
  const isDecorated = [rules, description, union, record, keywords, emitted].some((each) => each !== undefined);
  if (!isDecorated && !nullable) {
    planning.report(dto, name, dtoProblems.withoutDecorator());
    return undefined;
  }
  return planProperty({
    dto, name, description, nullable, emitted, planning, union, record,
    rules: rules ?? noRules,
    transformer: isAbove(read.typedBy, said.speaker) ? { ...read, type: undefined, discriminator: undefined } : read,
    extraKeywords: keywords ? (Object.assign({}, ...keywords) as JsonSchema) : noKeywords,
  }); // prettier-ignore
}

/** What the nearest class that has rules for a property says, and nothing of what that overrides. */
function nearestRules(dto: Class, name: string, facts: DtoFacts): NearestRules {
  const rules = facts.rules.get(name);
  const hasOwnRules = facts.unions.has(name) || facts.records.has(name);
  const speaker = hasOwnRules ? findSpeaker(dto, name, rules?.owner) : rules?.owner;
  const overridden = hasOwnRules || facts.nullables.has(name) ? overriddenFacts(dto, name, speaker) : [];
  return {
    speaker,
    nullable: facts.nullables.has(name) && !overridden.includes(nullables),
    rules: rules && !isAbove(rules.owner, speaker) ? rules : undefined,
    union: overridden.includes(unions) ? undefined : facts.unions.get(name)?.[0],
    record: overridden.includes(records) ? undefined : facts.records.get(name)?.[0],
  };
}

interface NearestRules extends Pick<PropertySource, 'nullable' | 'union' | 'record'> {
  /** The class whose rules they are. */
  readonly speaker: unknown;
  readonly rules: PropertyRules | undefined;
}
