/** DTO class -> plan. Reads every decorator once, at start-up, and reports all that is wrong with the class. */
import { descriptions, mappings } from '../dto-facts';
import { classFacts, emittedPropertyType, ownClassFacts } from '../../facts/facts';
import type { Class } from '../../values/class';
import { constructTwice } from './construct-twice';
import { dtoProblems, type ReportDto } from './dto-problems';
import { declaredNames, nearestRules, readFacts, type DtoFacts } from './dto-rules';
import type { JsonSchema } from '../json-schema';
import { findLostByNest } from './lost-by-nest';
import { planProperty } from './plan-property';
import type { Planning } from './property-source';
import { isAbove } from '../rules/speaking-class';
import { planPresence, type Draft } from './plan-presence';
import { readTransformerRules, untransformed, type Direction } from '../rules/transformer-rules';
import type { PropertyRules } from '../rules/validator-rules';
import type { ClassPlan, PropertyPlan, Tag } from '../value-plan';

const noKeywords: JsonSchema = {};
const noRules: PropertyRules = {
  rules: [], optional: false, anyValue: false, nested: undefined, conditions: [], owner: undefined,
}; // prettier-ignore

/**
 * Plans a class and all that it contains.
 * @param report gets what is wrong
 * @param tell gets what says too little, but works
 */
export function planClass(dto: Class, direction: Direction, report: ReportDto, tell: ReportDto = ignore): ClassPlan {
  const plans = new Map<Class, ClassPlan>();
  const tagged = new Map<ClassPlan, Map<string, ClassPlan>>();
  const checks: (() => void)[] = [];
  const planning: Planning = {
    direction,
    report,
    tell,
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

function ignore(): void {
  // A form refuses what says too little, and what travels as text needs no type.
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
  const taken = new Set<string>();
  for (const { name, wireName } of properties) {
    if (taken.has(wireName)) planning.report(dto, name, dtoProblems.twoNames(wireName));
    taken.add(wireName);
  }
  return properties;
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
  const words = description ?? union ?? record ?? keywords;
  const isDecorated = rules !== undefined || emitted !== undefined || words !== undefined;
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
