/** A property whose declared type is never that of the value which its rules let pass. */
import { dtoProblems, type DtoProblem } from './dto-problems';
import { isAnything } from '../read/accept-kinds';
import { containerOf, type PropertySource } from './property-source';
import { kindsOfRule, lettingOnly } from './rule-kinds';
import { decoratorName } from '../rules/decorator-name';
import { isPlain } from '../rules/rule';
import type { Kind, ValuePlan } from '../value-plan';
import { isOwnClass, isWithoutJson, kindsOfType, kindWords } from './value-types';

/**
 * Compares what the compiler emitted with what was planned. In an output, an object may write itself as another type (a Date
 * as a text), so that only primitives and arrays are compared.
 */
export function findWrongType(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  const { emitted, rules, transformer, planning } = source;
  const [kind] = kindsOfType(emitted) ?? [];
  // Nearly every property is of the type that it says.
  if (kind && value.kinds?.has(kind)) return undefined;
  if (transformer.transform || rules.rules.some(({ meaning }) => meaning?.mayBeAbsent)) return undefined;
  if (emitted === Function && isAnything(value) && !rules.anyValue) return dtoProblems.erased();
  if (planning.direction === 'input' && isWithoutJson(emitted)) return dtoProblems.withoutJson(nameOf(emitted));
  const wanted = declaredKinds(source);
  if (!wanted || isAnything(value)) return undefined;
  const fits = wanted.some((kind) => value.kinds?.has(kind)) && !(emitted === Array && value.made);
  const reason = fits ? undefined : (refusal(source, wanted) ?? conversion(source, value));
  return reason === undefined
    ? undefined
    : dtoProblems.wrongType({ type: nameOf(emitted), reason, advice: adviceFor(emitted) });
}

function declaredKinds({ emitted, planning }: PropertySource): readonly Kind[] | undefined {
  if (emitted === Array || emitted === Set) return ['array'];
  if (emitted === Map) return ['object'];
  if (planning.direction === 'output' && (emitted === Date || isOwnClass(emitted))) return undefined;
  return isOwnClass(emitted) ? ['object'] : kindsOfType(emitted);
}

/** The rule that lets no value of the declared type pass. */
function refusal({ rules }: PropertySource, wanted: readonly Kind[]): string | undefined {
  const refusing = rules.rules
    .filter(isPlain)
    .find((rule) => !rule.each && (rule.meaning.made ?? kindsOfRule(rule)?.every((kind) => !wanted.includes(kind))));
  if (refusing?.meaning.made) return `${decoratorName(refusing)} makes a ${refusing.meaning.made} of it`;
  return refusing && lettingOnly(refusing);
}

/** The conversion to another type; undefined if no value is possible at all. */
function conversion(source: PropertySource, { kinds }: ValuePlan): string | undefined {
  const { transformer, union, record } = source;
  if (kinds?.size === 0) return undefined;
  if (union && !union.each) return '@AnyOf() names no such type';
  if (record) return '@RecordOf() makes an object of it';
  if (containerOf(source)) return 'what is said with { each: true } makes a list of it';
  return `@Type() makes ${kindWords(kindsOfType(transformer.type) ?? ['object'])} of it`;
}

const ADVICE: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'say @IsString() or another rule for texts, or declare what travels'],
  [Number, 'say @IsNumber() or @IsInt(), or declare what travels'],
  [Boolean, 'say @IsBoolean(), or declare what travels'],
  [Date, 'say @IsDate() @Type(() => Date), which is a text on the wire and a Date in the handler, or declare a string'],
  [Array, 'say rules about what the array holds with { each: true }, or declare what travels'],
]);

function adviceFor(emitted: unknown): string {
  const advice = ADVICE.get(emitted) ?? 'change the type, or the decorators';
  return `${advice}; @Transform() converts one into the other`;
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}
