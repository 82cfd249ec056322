/** The arguments of the tools of this package: a JSON Schema for clients, and a function that reads what they send. */
import type { JsonObject, StandardSchema } from '@sigil-mcp/core';

/** One argument of a tool: what lists say about it, and whether a value fits. */
export interface Argument {
  readonly schema: JsonObject;
  readonly isOptional?: boolean;
  /** Says what is wrong with a value, such as `must be text`; undefined if nothing is. */
  problem(value: unknown): string | undefined;
}

/**
 * The schema of a tool without a library for schemas.
 * @returns a schema whose values have the type `T`, for which the arguments are responsible
 */
export function argumentsOf<T extends object>(named: Readonly<Record<keyof T & string, Argument>>): StandardSchema<T> {
  const all = Object.entries<Argument>(named);
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, argument]) => [name, argument.schema])),
    required: all.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
    additionalProperties: false,
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'sigil',
      validate(value: unknown) {
        const issues = problemsOf(value, named);
        return issues.length > 0 ? { issues } : { value: value as T };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

function problemsOf(value: unknown, named: Readonly<Record<string, Argument>>): Issue[] {
  if (typeof value !== 'object' || value === null) return [{ message: 'must be an object', path: [] }];
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(named, name));
  return [
    ...unknown.map((name) => ({ message: 'is no argument of this tool', path: [name] })),
    ...Object.entries(named).flatMap(([name, argument]) => {
      const isMissing = !Object.hasOwn(given, name) || given[name] === undefined;
      if (isMissing && argument.isOptional) return [];
      const message = isMissing ? 'is missing' : argument.problem(given[name]);
      return message === undefined ? [] : [{ message, path: [name] }];
    }),
  ];
}

/** A text of 1 to `longest` characters. @param isSensitive whether logs and records have nothing of it; false if left out */
export function textArgument(description: string, longest: number, isSensitive = false): Argument {
  return {
    schema: { type: 'string', description, minLength: 1, maxLength: longest, ...(isSensitive && { writeOnly: true }) },
    problem: (value) =>
      typeof value === 'string' && value !== '' && value.length <= longest
        ? undefined
        : `must be text of 1 to ${longest} characters`,
  };
}

/** A whole number from 1 to `most`, which can be left out. */
export function countArgument(description: string, most: number): Argument {
  return {
    isOptional: true,
    schema: { type: 'integer', description, minimum: 1, maximum: most },
    problem: (value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
        ? undefined
        : `must be a whole number from 1 to ${most}`,
  };
}

/** Any object, of which logs and records have nothing. It can be left out. */
export function objectArgument(description: string): Argument {
  return {
    isOptional: true,
    schema: { type: 'object', description, writeOnly: true },
    problem: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object',
  };
}
