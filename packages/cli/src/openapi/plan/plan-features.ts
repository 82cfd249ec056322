/** The chosen operations -> features with tools: one feature for each tag, or for each first part of the paths. */
import type { Rules } from '../choice/rules';
import { ruleFor } from '../choice/rules';
import type { Pointers } from '../document/pointers';
import { plainText, sentence } from '../names/model-text';
import { TakenNames } from '../names/taken-names';
import { namedSegments, proposeToolNames } from '../names/tool-names';
import { pascal, wordsOf } from '../names/words';
import type { Note, ApiOperation } from '../operations/operation';
import { ClassNames } from './class-names';
import { ClassPlanner } from './class-planner';
import { usedClasses } from './order-classes';
import { planTool } from './plan-tool';
import type { WrittenClass, FeaturePlan, WrittenTool } from './type-plan';

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
