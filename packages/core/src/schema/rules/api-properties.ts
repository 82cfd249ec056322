/**
 * What `@ApiProperty` of @nestjs/swagger says of a property, read by its structure: the words for people are those for models, too. It
 * counts as `@Describe` does, which is heard before it.
 */
import { writeForOthers, writtenByOthers } from '../../facts/facts';
import type { Class } from '../../values/class';
import { isObject } from '../../values/plain-object';
import type { JsonSchema } from '../json-schema';

const NAMES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';

/** What it says of one property. */
export interface ApiProperty {
  readonly description: string | undefined;
  /** What is listed beside the rules. */
  readonly keywords: JsonSchema;
  /** The only values; undefined where it names none. */
  readonly choices: readonly unknown[] | undefined;
}

/** What it says of the properties of a class and its base classes, by name; undefined where it says nothing. */
export function readApiProperties(dto: Class): ReadonlyMap<string, ApiProperty> | undefined {
  const listed = writtenByOthers(NAMES, dto);
  if (!Array.isArray(listed)) return undefined;
  const names = listed.flatMap((each) => (typeof each === 'string' ? [each.replace(/^:/, '')] : []));
  return new Map(names.map((name) => [name, readOne(writtenByOthers(PROPERTY, dto, name))]));
}

/** Counts a property of a class among those of another class, for which all that is known of it was written. */
export function copyApiProperty(from: Class, to: Class, name: string): void {
  if (writtenByOthers(PROPERTY, from, name) === undefined) return;
  const before = writtenByOthers(NAMES, to);
  writeForOthers(NAMES, to, [...(Array.isArray(before) ? (before as unknown[]) : []), `:${name}`]);
}

function readOne(said: unknown): ApiProperty {
  const { description, example, examples, title, default: initial, enum: choices } = isObject(said) ? said : {};
  const shown = [...(example === undefined ? [] : [example]), ...listOf(examples)];
  return {
    description: textOf(description),
    keywords: {
      ...(textOf(title) !== undefined && { title }),
      ...(shown.length > 0 && shown.every(isJson) && { examples: shown }),
      ...(initial !== undefined && isJson(initial) && { default: initial }),
    },
    choices: Array.isArray(choices) && choices.length > 0 ? choices : undefined,
  };
}

function textOf(said: unknown): string | undefined {
  return typeof said === 'string' && said !== '' ? said : undefined;
}

/** Of several examples Swagger takes a list, or an object of them by name. */
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
