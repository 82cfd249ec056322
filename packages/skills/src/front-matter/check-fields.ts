/**
 * The fields of front matter that the specification of Agent Skills has rules for.
 * @see https://agentskills.io/specification
 */
import { isObject, shorten } from '@sigil-mcp/core/internal';
import type { JsonObject, JsonValue, ReportProblem } from '@sigil-mcp/core';
import { skillProblem } from '../errors';
import type { FrontMatter } from '../skill';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST = { name: 64, description: 1024, compatibility: 500 } as const;

/** Prefix of keys that belong to the protocol. */
const RESERVED = 'io.modelcontextprotocol/';

/** Reports every field that breaks a rule. Returns the front matter if none does. */
export function checkFields(fields: JsonObject, where: string, report: ReportProblem): FrontMatter | undefined {
  const found = [
    ...nameProblems(fields['name']),
    ...descriptionProblems(fields['description']),
    ...compatibilityProblems(fields['compatibility']),
    ...metadataProblems(fields['metadata']),
  ];
  for (const { field, what, fix } of found) report(skillProblem('SIGIL_SKILL_FIELD', where, { field, what, fix }));
  // The rules above say that its name and its description are texts.
  return found.length === 0 ? (fields as FrontMatter) : undefined;
}

interface FieldProblem {
  readonly field: string;
  readonly what: string;
  readonly fix: string;
}

function nameProblems(name: JsonValue | undefined): FieldProblem[] {
  const fix = 'Use 1 to 64 lowercase letters, digits and single hyphens: `name: place-an-order`.';
  if (name === undefined || name === null) return [{ field: 'name', what: 'is missing', fix }];
  if (typeof name !== 'string') return [{ field: 'name', what: `is ${JSON.stringify(name)}, and not a text`, fix }];
  if (name.length <= LONGEST.name && NAME.test(name)) return [];
  return [{ field: 'name', what: `is ${JSON.stringify(shorten(name, 80))}`, fix }];
}

function descriptionProblems(description: JsonValue | undefined): FieldProblem[] {
  const fix = `Say in 1 to ${LONGEST.description} characters what the skill does and when to use it: agents choose skills by it.`;
  const problem = textProblem(description, LONGEST.description);
  return problem === undefined ? [] : [{ field: 'description', what: problem, fix }];
}

function compatibilityProblems(compatibility: JsonValue | undefined): FieldProblem[] {
  if (compatibility === undefined) return [];
  const fix = `Write a text of 1 to ${LONGEST.compatibility} characters, or remove the field.`;
  const problem = textProblem(compatibility, LONGEST.compatibility);
  return problem === undefined ? [] : [{ field: 'compatibility', what: problem, fix }];
}

function metadataProblems(metadata: JsonValue | undefined): FieldProblem[] {
  if (metadata === undefined) return [];
  const field = 'metadata';
  if (!isObject(metadata) || !Object.values(metadata).every((value) => typeof value === 'string'))
    return [{ field, what: 'is not a mapping of texts to texts', fix: 'Put its values in quotes: `version: "1.0"`.' }];
  const reserved = Object.keys(metadata).filter((key) => key.startsWith(RESERVED));
  return reserved.map((key) => ({
    field,
    what: `has the key ${key}, which is reserved for the protocol`,
    fix: 'Use a prefix of your own, such as `com.example/`.',
  }));
}

/** What is wrong with a text; undefined if nothing is. */
function textProblem(value: JsonValue | undefined, longest: number): string | undefined {
  if (value === undefined || value === null) return 'is missing';
  if (typeof value !== 'string') return `is ${shorten(JSON.stringify(value), 80)}, and not a text`;
  if (value.trim() === '') return 'is empty';
  // Characters, and not units of UTF-16.
  const length = [...value].length;
  return length > longest ? `has ${length} characters` : undefined;
}
