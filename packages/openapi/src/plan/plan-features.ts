/** The chosen operations -> features with tools: one feature for each tag, or for each first part of the paths. */
import { type Rules, ruleFor, type OperationRule } from './rules';
import type { Pointers } from '../document/pointers';
import { plainText, sentence, firstSentences } from '../names/model-text';
import { TakenNames } from '../names/taken-names';
import { namedSegments, proposeToolNames } from '../names/tool-names';
import { pascal, wordsOf, upper } from '../names/words';
import type { Note, ApiOperation } from '../operations/operation';
import { ClassPlanner, ClassNames } from './class-planner';
import type { WrittenClass, FeaturePlan, WrittenTool, TypePlan, WrittenProperty, ResultPlan } from './type-plan';
import { planArguments } from './plan-arguments';
import type { Where } from './plan-union';
import { readFields } from './picked-fields';
import { readShape, type Shape } from '../operations/shape';

interface ResultSource {
  readonly operation: ApiOperation;
  readonly rule: OperationRule;
  /** For the class of an answer that is no component. */
  readonly proposal: string;
  /** The name of the class around a list or a value. */
  readonly nameOf: () => string;
}

interface Wrapped {
  readonly shape: Shape;
  readonly source: ResultSource;
  readonly mediaType: string;
}

const LONGEST_DESCRIPTION = 300;

/** What a tool is made of. */
interface ToolSource {
  readonly operation: ApiOperation;
  readonly rule: OperationRule;
  readonly name: string;
}

/** What is known from the last run: names stay. */
export interface KnownNames {
  /** Tool by operation. */
  readonly tools: Readonly<Record<string, string>>;
  /** Feature by operation: an operation stays where it was written, also if its tag changes. */
  readonly features: Readonly<Record<string, string>>;
  readonly classes: Readonly<Record<string, string>>;
}

/** Everything that will be written. */
export interface ApiPlan {
  readonly features: readonly FeaturePlan[];
  /** The classes of the components. */
  readonly models: readonly WrittenClass[];
  readonly classNames: Readonly<Record<string, string>>;
}

/** What it is planned from. */
export interface PlanSource {
  readonly operations: readonly ApiOperation[];
  readonly pointers: Pointers;
  readonly rules: Rules;
  readonly known: KnownNames;
  /** Names of classes that the client has. */
  readonly reserved: readonly string[];
  /** The member of a feature that holds the client: no tool can have its name. */
  readonly member: string;
  /** The descriptions of tags. */
  readonly tagTexts: ReadonlyMap<string, string>;
}

/** Plans all features. @param note takes what tools cannot say as the document does */
export function planFeatures(source: PlanSource, note: Note): ApiPlan {
  const { operations, pointers, rules, known, tagTexts } = source;
  const groups = groupOperations(operations, known.features);
  const featureNames = [...groups.keys()].map(featureClass);
  const names = new ClassNames(known.classes, [...source.reserved, ...featureNames]);
  const planner = new ClassPlanner(pointers, names);
  const toolNames = nameTools(operations, { rules, known, note, member: source.member });
  const planned = [...groups].map(([slug, { tag, members }]) => {
    const tools = members.map((operation) => {
      const name = toolNames.get(operation.key) ?? operation.key;
      const rule = ruleFor(rules, operation);
      return planTool({ planner, names }, { operation, rule, name }, (text) => note(operation.key, text));
    });
    const [text = ''] = [tagTexts.get(tag) ?? ''].map((each) => sentence(plainText(each)));
    return { slug, className: featureClass(slug), description: text, tools };
  });
  const features = planned.map((feature) => ({ ...feature, classes: ownClasses(feature.tools) }));
  const models = usedClasses(planned.flatMap(({ tools }) => tools)).filter(({ isModel }) => isModel);
  return { features, models, classNames: names.all() };
}

function ownClasses(tools: readonly WrittenTool[]): WrittenClass[] {
  return usedClasses(tools).filter(({ isModel }) => !isModel);
}

/** The tag of an operation, or the first part of its path that says something. */
export function groupOf({ tags, path }: ApiOperation): string {
  const [tag = ''] = tags;
  return wordsOf(tag).length > 0 ? tag : (namedSegments(path).find((part) => wordsOf(part).length > 0) ?? 'root');
}

/** The class of a feature, by the base of its files. */
export function featureClass(slug: string): string {
  return `${pascal(wordsOf(slug))}Feature`;
}

function groupOperations(
  operations: readonly ApiOperation[],
  known: KnownNames['features'],
): Map<string, { tag: string; members: ApiOperation[] }> {
  const groups = new Map<string, { tag: string; members: ApiOperation[] }>();
  for (const operation of operations) {
    const tag = groupOf(operation);
    const slug = known[operation.key] ?? wordsOf(tag).join('-').slice(0, 40);
    const group = groups.get(slug) ?? { tag, members: [] };
    group.members.push(operation);
    groups.set(slug, group);
  }
  return groups;
}

interface Naming {
  readonly member: string;
  readonly rules: Rules;
  readonly known: KnownNames;
  readonly note: Note;
}

/** Names of rules first, then those of the last run, then the best one that is free. */
function nameTools(operations: readonly ApiOperation[], { rules, known, note, member }: Naming): Map<string, string> {
  const named = operations.map((operation) => {
    const wanted = ruleFor(rules, operation).name ?? known.tools[operation.key];
    return { operation, wanted };
  });
  const taken = new TakenNames([
    member,
    'constructor',
    'onStart',
    'onStop',
    'then',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
  ]);
  const chosen = new Map<string, string>();
  for (const { operation, wanted } of named) if (wanted !== undefined) chosen.set(operation.key, taken.take(wanted));
  for (const { operation, wanted } of named) {
    if (wanted !== undefined) continue;
    const proposals = proposeToolNames(operation);
    const name = taken.take(...proposals);
    if (name !== proposals[0] && operation.id !== undefined)
      note(operation.key, `its name ${proposals[0] ?? ''} is taken or too long: the tool is ${name}`);
    chosen.set(operation.key, name);
  }
  return chosen;
}

/** Every class that the tools use, each once, after those that it refers to as far as they do not refer to each other. */
function usedClasses(tools: readonly WrittenTool[]): WrittenClass[] {
  const ordered = new Set<WrittenClass>();
  const begun = new Set<WrittenClass>();
  const visit = (plan: WrittenClass): void => {
    if (begun.has(plan)) return;
    begun.add(plan);
    for (const { type } of plan.properties) classesIn(type).forEach(visit);
    ordered.add(plan);
  };
  for (const { input, result } of tools) for (const plan of [input, result.class]) if (plan) visit(plan);
  return [...ordered];
}

/** The classes that a type names itself. */
function classesIn(type: TypePlan): WrittenClass[] {
  switch (type.kind) {
    case 'class':
      return [type.class];
    case 'array':
      return classesIn(type.items);
    case 'record':
      return classesIn(type.values);
    case 'union':
      return type.members.flatMap((member) => (member.kind === 'class' ? [member.class] : []));
    default:
      return [];
  }
}

/** Plans a tool. @param note takes what it cannot say as the document does */
function planTool(
  { planner, names }: { planner: ClassPlanner; names: ClassNames },
  { operation, rule, name }: ToolSource,
  note: (text: string) => void,
): WrittenTool {
  const { key } = operation;
  const nameOf = (what: string, ending: string): string => names.nameOf(`${what} of ${key}`, `${upper(name)}${ending}`);
  const given = planArguments(planner, { operation, rule, className: nameOf('arguments', 'Input') }, note);
  const answer = { operation, rule, proposal: `${upper(name)}Result`, nameOf: () => nameOf('answer', 'Result') };
  const result = planResult(planner, answer, note);
  return { name, operation, ...given, result, description: rule.description ?? describe(operation, name) };
}

function describe({ summary, description, deprecated, key }: ApiOperation, name: string): string {
  const short = sentence(plainText(summary));
  const long = firstSentences(description, LONGEST_DESCRIPTION - short.length);
  const text = long === '' || saysTheSame(short, long) ? longer(short, long) : `${short} ${sentence(long)}`.trim();
  const whole = text === '' ? `${upper(name)} (${key}).` : text;
  return deprecated ? `Deprecated. ${whole}` : whole;
}

function longer(short: string, long: string): string {
  return long.length > short.length ? sentence(long) : short;
}

/** A description often begins with its summary, in other forms of its words. */
function saysTheSame(short: string, long: string): boolean {
  const stems = (text: string): string[] =>
    (text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
      .filter((word) => word !== 'the')
      .map((word) => word.replace(/e?s$/, ''));
  const [first = ''] = long.split(/[.:](?:\s|$)/);
  const said = new Set(stems(first));
  return stems(short).every((stem) => said.has(stem));
}

/** Plans it. @param note takes what cannot be said */
function planResult(planner: ClassPlanner, source: ResultSource, note: (text: string) => void): ResultPlan {
  const { answer } = source.operation;
  const { mediaType, kind } = answer;
  if (kind !== 'json') return { kind, class: undefined, type: undefined, mediaType };
  const where = whereOf(source, note);
  const shape = readShape(answer.schema, planner.pointers);
  const type = planner.typeOfShape(shape, where);
  if (type.kind === 'class') return { kind: 'class', class: type.class, type, mediaType };
  const isTyped =
    type.kind !== 'any' && type.kind !== 'record' && !(type.kind === 'array' && type.items.kind === 'any');
  if (!isTyped || shape.nullable) {
    note('the answer has no fixed members: it is returned as it is, and no output is declared');
    return { kind: 'data', class: undefined, type, mediaType };
  }
  return wrapped(type, { shape, source, mediaType });
}

/** The output of a tool is an object: a list is a member of it. */
function wrapped(type: TypePlan, { shape, source, mediaType }: Wrapped): ResultPlan {
  const isList = type.kind === 'array';
  const property: WrittenProperty = {
    ...{ name: isList ? 'items' : 'value', required: true, nullable: false, type, initial: undefined },
    description: isList ? '' : shape.description.slice(0, 160),
  };
  const made: WrittenClass = { name: source.nameOf(), description: '', isModel: false, properties: [property] };
  return { kind: isList ? 'list' : 'value', class: made, type, mediaType };
}

function whereOf({ rule, proposal }: ResultSource, note: (text: string) => void): Where {
  const { fields } = rule;
  const all = fields?.includes('*') ?? false;
  return {
    direction: 'output',
    depth: 0,
    name: proposal,
    isModel: false,
    chain: new Map(),
    fields: fields && !all ? readFields(fields) : undefined,
    all,
    note,
  };
}
