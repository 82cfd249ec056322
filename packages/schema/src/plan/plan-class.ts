/** DTO class -> plan. Reads every decorator once, at start-up, and reports all problems of the class. */
import {
  descriptions,
  mappings,
  listedKeywords,
  nullables,
  records,
  sensitives,
  unions,
  valueTitles,
} from '../dto-facts';
import type { ApiProperty } from '../rules/api-properties';
import { classFacts, emittedPropertyType, ownClassFacts, factsByMember } from '@sigil-mcp/base/facts';
import { type Class, withBases } from '@sigil-mcp/base';
import { dtoProblem, type ReportDto } from './dto-problems';
import { declaredNames, nearestRules, readFacts, type DtoFacts, type Planning, type PropertySource } from './dto-rules';
import type { ClassPlan, JsonSchema, PropertyPlan, Tag } from '../value-plan';
import { draftLike, DraftCache } from './draft-cache';
import { isReadOnly, planProperty } from './plan-property';
import { planPresence, type Draft } from './plan-presence';
import { exposureOf, type Exposure } from '../plain/exposure';
import type { Direction } from '../plain/transformer-storage';
import { readTransformerRules, untransformed, type TransformerRules } from '../rules/transformer-rules';
import { findMetadata, findSharing, readRules, isAbove } from '../rules/validator-metadata';

/**
 * How a mapped class of NestJS differs from ours.
 *
 * Classes made by `@nestjs/mapped-types`: it copies the metadata of class-validator and class-transformer, but not ours, and its
 * partial classes keep their defaults. The differences are found, so that they can be reported.
 */
interface LostByNest {
  /** `@Describe on title`. */
  readonly words: readonly string[];
  /** The properties of a partial class that have a default although they were not sent. */
  readonly defaults: readonly string[];
}

/** Two instances of a DTO, made one after the other, to detect defaults that change over time. */

const aMinute = 60_000;

const noKeywords: JsonSchema = {};

/** Options for several classes. */
export interface PlannedBefore {
  /** Plans of other classes of the server; none if left out. */
  readonly known?: DraftCache | undefined;
  /** Problems that are not unsafe are warnings, not errors; false if left out. */
  readonly lenient?: boolean | undefined;
}

/** The options of one plan. */
export interface PlanOptions extends PlannedBefore {
  readonly direction: Direction;
  /** Receives errors. */
  readonly report: ReportDto;
  /** Receives warnings: properties that say too little, but work; ignored if left out. */
  readonly tell?: ReportDto | undefined;
}

/** Plans a class and all that it contains. */
export function planClass(dto: Class, options: PlanOptions): ClassPlan {
  const { direction, report, tell = ignore, lenient = false, known: drafts = new DraftCache() } = options;
  const plans = new Map<Class, ClassPlan>();
  let tagged: Tagged | undefined;
  const checks: (() => void)[] = [];
  const planning: Planning = {
    direction,
    report,
    tell,
    lenient,
    known: drafts,
    planClass: (nested, tag) => {
      const known = plans.get(nested) ?? plan(nested);
      return tag ? withTag(known, tag, (tagged ??= new Map<ClassPlan, Map<string, ClassPlan>>())) : known;
    },
    later: (check) => void checks.push(check),
  };
  const plan = (next: Class): ClassPlan => {
    const opened = openPlan(next);
    plans.set(next, opened);
    const samples = constructTwice(opened.construct);
    if (samples === undefined) report(next, undefined, dtoProblem('SIGIL_DTO_NOT_CONSTRUCTIBLE'));
    opened.properties = planProperties(next, reportMapping(next, samples ?? [{}, {}], planning), planning);
    return opened;
  };
  const planned = plan(dto);
  for (const check of checks) check();
  return planned;
}

function ignore(): void {
  // A form refuses classes that say too little, and values that are sent as text need no type.
}

function openPlan(dto: Class): ClassPlan {
  // A DTO is constructed without arguments; an abstract class as a DTO is a mistake of its author.
  const Constructor = dto as unknown as new () => object;
  const description = ownClassFacts(descriptions, dto)[0];
  return { dto, description, construct: () => new Constructor(), tag: undefined, properties: [] };
}

type Tagged = Map<ClassPlan, Map<string, ClassPlan>>;

/** The plan of a class under one of its discriminator names: one plan for each name, so that it is compiled once. */
function withTag(plan: ClassPlan, tag: Tag, known: Tagged): ClassPlan {
  const tagged = known.get(plan) ?? new Map<string, ClassPlan>();
  const key = JSON.stringify([tag.property, tag.value, tag.kept]);
  const { dto, description, construct } = plan;
  const made = tagged.get(key) ?? {
    dto, description, construct, tag,
    // A class that is still being planned gets its properties later.
    get properties() {
      return plan.properties;
    },
  }; // prettier-ignore
  known.set(plan, tagged.set(key, made));
  return made;
}

/** Reports problems of a mapped class. Returns its samples without the defaults that a partial class keeps. */
function reportMapping(dto: Class, samples: Samples, { report, tell, lenient }: Planning): Samples {
  const unknown = classFacts(mappings, dto).flatMap((mapping) => mapping.unknown);
  const say = lenient ? tell : report;
  if (unknown.length > 0)
    say(dto, undefined, dtoProblem('SIGIL_MAPPED_UNKNOWN', { names: unknown.map((name) => `'${name}'`).join(', ') }));
  const lost = findLostByNest(dto, samples[0]);
  if (!lost) return samples;
  if (lost.words.length > 0) say(dto, undefined, dtoProblem('SIGIL_MAPPED_BY_NEST', { lost: lost.words.join(', ') }));
  if (lost.defaults.length > 0)
    tell(dto, undefined, dtoProblem('SIGIL_MAPPED_DEFAULTS', { names: lost.defaults.join(', ') }));
  return [withoutMembers(samples[0], lost.defaults), withoutMembers(samples[1], lost.defaults)];
}

type Samples = readonly [object, object];

/** A copy of an instance in which some members are undefined. */
function withoutMembers(sample: object, names: readonly string[]): object {
  if (names.length === 0) return sample;
  const bare = Object.assign(Object.create(Object.getPrototypeOf(sample) as object | null) as object, sample);
  return Object.assign(bare, Object.fromEntries(names.map((name) => [name, undefined])));
}

function planProperties(dto: Class, samples: readonly [object, object], planning: Planning): PropertyPlan[] {
  const facts = readFacts(dto);
  const exposure = facts.transformed ? exposureOf(dto, planning.direction) : undefined;
  const known: PlannedClass = { facts, exposure, planning };
  const properties: PropertyPlan[] = [];
  for (const name of declaredNames(facts, samples[0])) {
    const draft = planOne(dto, name, known);
    if (draft) properties.push(planPresence(draft, samples));
  }
  if (!facts.transformed) return properties;
  const taken = new Set<string>();
  for (const { name, wireName } of properties) {
    if (taken.has(wireName)) planning.report(dto, name, dtoProblem('SIGIL_DTO_NAME_TWICE', { name: wireName }));
    taken.add(wireName);
  }
  return properties;
}

interface PlannedClass {
  readonly facts: DtoFacts;
  /** Undefined if class-transformer has no metadata for the class. */
  readonly exposure: Exposure | undefined;
  readonly planning: Planning;
}

function planOne(dto: Class, name: string, { facts, exposure, planning }: PlannedClass): Draft | undefined {
  const { direction, known } = planning;
  if (exposure?.hides(name)) return undefined;
  const transformer = exposure && readTransformerRules(dto, name, exposure);
  const keywords = facts.keywords?.get(name);
  const api = facts.api?.get(name);
  const emitted = typeOf(emittedPropertyType(dto, name), api);
  const description = facts.descriptions?.get(name)?.[0] ?? api?.description;
  const said = nearestRules(dto, name, facts);
  const { rules = [], nullable, union, record } = said;
  const words = description ?? union ?? record ?? keywords ?? api;
  const isDecorated = said.rules !== undefined || emitted !== undefined || words !== undefined;
  if (!isDecorated && !nullable) {
    (planning.lenient ? planning.tell : planning.report)(dto, name, dtoProblem('SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR'));
    return undefined;
  }
  const extraKeywords =
    keywords || api
      ? (Object.assign({}, api?.keywords, ...(keywords ?? []).map(({ keywords: each }) => each)) as JsonSchema)
      : noKeywords;
  const isLikeOthers =
    !transformer && !union && !record && !api?.choices && !(direction === 'input' && isReadOnly(dto, name));
  const place = isLikeOthers ? known.placeOf(emitted, nullable, rules) : undefined;
  if (place?.draft) return draftLike(place.draft, { dto, name, description, extraKeywords, group: rules });
  const source: PropertySource = {
    dto, name, description, nullable, emitted, planning, union, record, extraKeywords, choices: api?.choices,
    rules: readRules(dto.name, rules),
    transformer: transformerOf(name, transformer, said.speaker),
  }; // prettier-ignore
  return planProperty(source, place);
}

/** The type that the compiler has written; for `string | null` it writes none, but `@ApiProperty({ type: String })` may. */
function typeOf(emitted: unknown, api: ApiProperty | undefined): unknown {
  return emitted === undefined || emitted === Object ? (api?.type ?? emitted) : emitted;
}

/** The metadata of class-transformer for a property, without the `@Type` of a class whose rules were overridden. */
function transformerOf(name: string, read: TransformerRules | undefined, speaker: unknown): TransformerRules {
  if (!read) return untransformed(name);
  return isAbove(read.typedBy, speaker) ? { ...read, type: undefined, discriminator: undefined } : read;
}

/** Constructs twice; undefined if the constructor throws. */
function constructTwice(construct: () => object): readonly [object, object] | undefined {
  try {
    const first = construct();
    if (Object.values(first).some(tellsTheTime)) waitForTheClock();
    return [first, construct()];
  } catch {
    return undefined;
  }
}

/** `new Date()`, `Date.now()` or a text made of them: twice within a millisecond they would pass for constants. */
function tellsTheTime(value: unknown): boolean {
  const time = typeof value === 'string' ? Date.parse(value) : value instanceof Date ? value.getTime() : value;
  return typeof time === 'number' && Math.abs(time - Date.now()) < aMinute;
}

function waitForTheClock(): void {
  const start = Date.now();
  while (Date.now() < start + 2);
}

/** The facts that a class loses, and the defaults that it keeps; undefined for any other class. */
function findLostByNest(dto: Class, sample: object): LostByNest | undefined {
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
