/** DTO class -> plan. Reads every decorator once, at start-up, and reports all that is wrong with the class. */
import { descriptions } from '../decorators/describe';
import { allMemberFacts, emittedPropertyType, memberFacts, ownClassFacts, type Class } from '../decorators/facts';
import { nullables } from '../decorators/nullable';
import { constructTwice } from './construct-twice';
import { dtoProblems, type ReportDto } from './dto-problems';
import { planProperty } from './plan-property';
import type { Planning } from './planning';
import { schemaKeywords } from './schema-keywords';
import { settlePresence, type Draft } from './settle-presence';
import { readTransformerRules, type Direction } from './transformer-rules';
import { readRules, type PropertyRules } from './validator-rules';
import type { ClassPlan, PropertyPlan } from './value-plan';

const noRules: PropertyRules = { rules: [], optional: false, anyValue: false, nested: undefined, conditions: [] };

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

function planProperties(dto: Class, samples: readonly [object, object], planning: Planning): PropertyPlan[] {
  const rules = readRules(dto);
  const names = declaredNames(dto, rules, samples[0]);
  const properties = names.flatMap((name) => {
    const draft = planOne(dto, name, { rules: rules.get(name), planning });
    return draft ? [settlePresence(draft, samples)] : [];
  });
  properties.forEach(({ name, wireName }, index) => {
    const taken = properties.slice(0, index).some((other) => other.wireName === wireName);
    if (taken) planning.report(dto, name, dtoProblems.twoNames(wireName));
  });
  return properties;
}

/** Decorated properties in source order, base classes first; then those that only the constructor knows. */
function declaredNames(dto: Class, rules: ReadonlyMap<string, PropertyRules>, sample: object): string[] {
  const described = allMemberFacts(descriptions, dto).map(({ member }) => member);
  const nullable = allMemberFacts(nullables, dto).map(({ member }) => member);
  const constructed = Object.entries(sample).flatMap(([name, value]) => (typeof value === 'function' ? [] : [name]));
  const declared = new Set([...rules.keys(), ...described, ...nullable, ...constructed]);
  // Class fields are defined in source order, which says more than the order of the decorators.
  const inSource = constructed.filter((name) => declared.has(name));
  return inSource.length === declared.size ? inSource : [...declared];
}

interface Known {
  readonly rules: PropertyRules | undefined;
  readonly planning: Planning;
}

function planOne(dto: Class, name: string, { rules, planning }: Known): Draft | undefined {
  const transformer = readTransformerRules(dto, name, planning.direction);
  if (transformer.excluded) return undefined;
  const keywords = memberFacts(schemaKeywords, dto, name);
  const emitted = emittedPropertyType(dto, name);
  const description = memberFacts(descriptions, dto, name)[0];
  const nullable = memberFacts(nullables, dto, name).length > 0;
  const decorated = rules ?? description ?? (nullable || keywords.length > 0 || emitted !== undefined || undefined);
  if (decorated === undefined) {
    planning.report(dto, name, dtoProblems.withoutDecorator());
    return undefined;
  }
  return planProperty({
    dto, name, description, nullable, emitted, transformer, planning,
    rules: rules ?? noRules,
    extraKeywords: Object.assign({}, ...keywords) as Record<string, unknown>,
  }); // prettier-ignore
}
