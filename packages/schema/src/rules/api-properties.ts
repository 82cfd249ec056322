/**
 * Reads `@ApiProperty` of @nestjs/swagger from its metadata: descriptions for people are used for models, too. It counts like
 * `@Describe`, which takes precedence.
 */
import { writeForOthers, writtenByOthers } from '@sigil-mcp/base/facts';
import { isObject, type Class } from '@sigil-mcp/base';
import type { JsonSchema } from '../value-plan';

const NAMES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';

/** The facts about one property. */
export interface ApiProperty {
  readonly description: string | undefined;
  /** Keywords to list, in addition to those of the rules. */
  readonly keywords: JsonSchema;
  /** The only values; undefined if it lists none. */
  readonly choices: readonly unknown[] | undefined;
  /** `String`, `Number` or `Boolean` if it says that the value is one; undefined for everything else. */
  readonly type: unknown;
}

/** The facts about the properties of a class and its base classes, by name; undefined if there are no such facts. */
export function readApiProperties(dto: Class): ReadonlyMap<string, ApiProperty> | undefined {
  const listed = writtenByOthers(NAMES, dto);
  if (!Array.isArray(listed)) return undefined;
  const names = listed.flatMap((each) => (typeof each === 'string' ? [each.replace(/^:/, '')] : []));
  return new Map(names.map((name) => [name, readOne(writtenByOthers(PROPERTY, dto, name))]));
}

/** Registers a property, whose metadata was copied from another class, with its new class. */
export function copyApiProperty(from: Class, to: Class, name: string): void {
  if (writtenByOthers(PROPERTY, from, name) === undefined) return;
  const before = writtenByOthers(NAMES, to);
  writeForOthers(NAMES, to, [...(Array.isArray(before) ? (before as unknown[]) : []), `:${name}`]);
}

function readOne(said: unknown): ApiProperty {
  const facts = isObject(said) ? said : {};
  const { description, example, examples, title, default: initial, enum: choices } = facts;
  const shown = [...(example === undefined ? [] : [example]), ...listOf(examples)];
  return {
    description: textOf(description),
    keywords: {
      ...(textOf(title) !== undefined && { title }),
      ...(shown.length > 0 && shown.every(isJson) && { examples: shown }),
      ...(initial !== undefined && isJson(initial) && { default: initial }),
    },
    choices: Array.isArray(choices) && choices.length > 0 ? choices : undefined,
    type: facts['isArray'] === true ? undefined : scalarOf(facts['type']),
  };
}

const SCALARS: readonly unknown[] = [String, Number, Boolean];
const BY_NAME: Readonly<Record<string, unknown>> = { string: String, number: Number, boolean: Boolean };

/** A type of one value; a function without a name of its own returns it. */
function scalarOf(type: unknown): unknown {
  if (typeof type === 'string') return Object.hasOwn(BY_NAME, type) ? BY_NAME[type] : undefined;
  if (SCALARS.includes(type)) return type;
  // Of `type: () => String`; a class is no arrow function.
  const isLazy = typeof type === 'function' && type.prototype === undefined;
  const found = isLazy ? foundBy(type as () => unknown) : undefined;
  return SCALARS.includes(found) ? found : undefined;
}

/** Undefined for a class that is not there yet, because files import each other. */
function foundBy(type: () => unknown): unknown {
  try {
    return type();
  } catch {
    return undefined;
  }
}

function textOf(said: unknown): string | undefined {
  return typeof said === 'string' && said !== '' ? said : undefined;
}

/** Swagger accepts several examples as a list, or as an object of them by name. */
function listOf(examples: unknown): readonly unknown[] {
  if (Array.isArray(examples)) return examples;
  const named = isObject(examples) ? Object.values(examples) : [];
  return named.map((each) => (isObject(each) && 'value' in each ? each['value'] : each));
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
