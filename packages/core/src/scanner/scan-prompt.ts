/** `@Prompt` -> plan. */
import type { Prompt, PromptArgument } from '@sigil-mcp/protocol';
import type { PromptFact, PromptOptions } from '../decorators/prompt';
import { checkWords } from '../errors/check-words';
import { compilePromptOutput } from '../output/shape-prompt-messages';
import { NO_INPUT, type InputShape, type JsonSchema } from '@sigil-mcp/schema';
import { reportMirroredArguments } from '../headers/mirrored-arguments';
import { compileForms } from './check-forms';
import { checkPlaceholders } from './check-placeholders';
import { completeValues } from './complete-values';
import { listedName, reportMember, surroundingsOf, type Member } from './member';
import type { CompleterPlan, EntryPlan } from './plan';
import { scanParameters } from './scan-parameters';

/** Plans a prompt; undefined if something about it is wrong, which has been reported. */
export function scanPrompt(
  member: Member,
  { description, options }: PromptFact,
  completers: readonly CompleterPlan[],
): EntryPlan<'prompt'> | undefined {
  const { sources, input } = scanParameters(member, options.input);
  const shape = input === undefined ? NO_INPUT : member.shapes.input(input, { strings: true }, member);
  if (!shape) return undefined;
  const isClean = reportMirroredArguments(shape.schema, 'prompt', (problem) => reportMember(member, problem));
  const own = options.name ?? member.name;
  const name = listedName(member, own);
  const hasWords = checkWords({ name: own, description }, member.where, member.report);
  const asks = compileForms(member, options.asks);
  if (!asks || !isClean || !hasWords) return undefined;
  const definition = promptDefinition(name, description, options, shape);
  checkPlaceholders(member, definition);
  return {
    kind: 'prompt',
    key: name,
    definition,
    ...surroundingsOf(member),
    parameters: sources,
    input: shape,
    asks,
    shapeOutput: compilePromptOutput(member.where, description),
    completers: completeValues(completers, shape.schema),
    template: undefined,
    list: undefined,
    cache: undefined,
    timeout: undefined,
    concurrency: undefined,
    mirrored: [],
  };
}

/** The definition of a prompt, as clients are listed it. */
export function promptDefinition(name: string, description: string, options: PromptOptions, input: InputShape): Prompt {
  const list = promptArguments(input.schema);
  return {
    name,
    ...(options.title !== undefined && { title: options.title }),
    description,
    ...(list.length > 0 && { arguments: list }),
    ...(options.icons && { icons: options.icons }),
    ...(options.meta && { _meta: options.meta }),
  };
}

function promptArguments(schema: JsonSchema): PromptArgument[] {
  // The compiler of schemas writes both members of an object schema in just this form.
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(properties).map(([name, { description, title }]) => ({
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    required: required.includes(name),
  }));
}
