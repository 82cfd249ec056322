/** One property, before it is planned: everything that decorators and the compiler say about it. */
import type { Class } from '../../values/class';
import type { RecordFact, UnionFact } from '../dto-facts';
import type { ReportDto } from './dto-problems';
import type { KnownDrafts } from './known-drafts';
import type { JsonSchema } from '../json-schema';
import type { Direction } from '../../plain/transformer-storage';
import type { TransformerRules } from '../rules/transformer-rules';
import type { PropertyRules } from '../rules/validator-rules';
import type { ClassPlan, Tag } from '../value-plan';
import { kindsOfRule } from './rule-kinds';
import type { Rule } from '../rules/rule';
import { isOwnClass } from './value-types';

/** What the properties of all classes in one plan share. */
export interface Planning {
  readonly direction: Direction;
  /** What is wrong, but not unsafe, is told; the property is read as far as it is understood. */
  readonly lenient: boolean;
  readonly report: ReportDto;
  /** Takes what says too little, but works. */
  readonly tell: ReportDto;
  readonly known: KnownDrafts;
  /** The plan of another class; a class that is being planned already gives the same plan, still without properties. */
  planClass(dto: Class, tag?: Tag): ClassPlan;
  /** Asks for what can only be looked at when all classes are planned. */
  later(check: () => void): void;
}

/** Everything that is said about one property. */
export interface PropertySource {
  readonly dto: Class;
  readonly name: string;
  readonly description: string | undefined;
  readonly nullable: boolean;
  /** The type that the compiler emitted. */
  readonly emitted: unknown;
  readonly rules: PropertyRules;
  readonly transformer: TransformerRules;
  readonly union: UnionFact | undefined;
  readonly record: RecordFact | undefined;
  readonly extraKeywords: JsonSchema;
  /** The only values, where something else than a rule names them. */
  readonly choices: readonly unknown[] | undefined;
  readonly planning: Planning;
}

/** What a property holds several values in; undefined for one value. */
export type Container = 'array' | 'set' | 'map' | 'record';

/** Decides what holds the values of a property. */
export function containerOf({ rules, emitted, transformer, union, record }: PropertySource): Container | undefined {
  // What the author's own @Transform makes a Map or a Set of comes as it is on the wire.
  const isConverted = transformer.transform !== undefined && transformer.type === undefined;
  const made = rules.rules.find(({ each, meaning }) => !each && meaning?.made)?.meaning?.made;
  if ((emitted === Map || made === 'Map') && !isConverted) return 'map';
  if ((emitted === Set || made === 'Set') && !isConverted) return 'set';
  if (record) return 'record';
  // For class-validator, `each` beside one instance is about that instance.
  if ((rules.nested === 'items' && !isOwnClass(emitted)) || union?.each) return 'array';
  if (emitted === Array && !(isConverted && rules.rules.some(isAboutOne))) return 'array';
  return rules.rules.some(({ each, meaning }) => each || meaning?.kinds?.includes('array')) ? 'array' : undefined;
}

/** Whether a rule lets only values of other types than lists pass: one of which a @Transform makes the list. */
function isAboutOne(rule: Rule): boolean {
  return !rule.each && kindsOfRule(rule)?.includes('array') === false;
}

/** The class of the author's that a property, or what it holds, is an instance of. */
export function nestedClass(source: PropertySource): Class | undefined {
  const { transformer, emitted, union } = source;
  if (union) return undefined;
  const named = recordType(source) ?? transformer.type;
  if (named !== undefined) return isOwnClass(named) ? named : undefined;
  return isOwnClass(emitted) && containerOf(source) === undefined ? emitted : undefined;
}

/** The type that `@RecordOf` names: null for a class that is not there, undefined where it names none. */
export function recordType({ record }: PropertySource): unknown {
  if (!record?.values) return undefined;
  try {
    return record.values() ?? null;
  } catch {
    // A class that is not there yet; reported as a definition error by the one who asked.
    return null;
  }
}

/** The types that `@AnyOf` names; undefined where they are not there. */
export function unionMembers({ union }: PropertySource): readonly unknown[] | undefined {
  try {
    return union?.members();
  } catch {
    return undefined;
  }
}
