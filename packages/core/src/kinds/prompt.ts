/** Prompts: messages that a user picks. */
import type { ListPromptsResult, Prompt, PromptArgument } from '@sigil-mcp/protocol';
import { PROMPT, type PromptFact, type PromptOptions } from '../decorators/prompt';
import { checkWords, unknownPrompt } from '../errors/catalogue';
import { compilePromptOutput } from '../output/shape-contents';
import { NO_INPUT, type InputShape, type JsonSchema } from '@sigil-mcp/schema';
import { reportMirroredArguments } from '../mirrored-arguments/mirrored-arguments';
import { checkPlaceholders } from '../members/check-placeholders';
import { completeValues } from '../members/complete-values';
import { DATA_MEMBERS, optionsOf, type Completions, type EntryDataBase, type Names } from '../members/data-base';
import {
  compileForms,
  listedName,
  reportMember,
  surroundingsOf,
  type Companions,
  type CompleterPlan,
  type Member,
  type PlanBase,
} from '../members/member';
import { scanParameters } from '../members/scan-parameters';
import { Listing, type ListedPage } from '../registry/listing';
import { LIST_CHANGES, type EntryKindRules } from './entry-kind-rules';

/** Written by the decorator of a tool or a prompt. */
interface NamedFact<O> {
  readonly description: string;
  readonly options: O;
}

/** The rules of kinds that are known by a name. */
export const NAMED = {
  keyMember: 'name',
  factOf: <D extends { readonly description: string }>(data: D): NamedFact<D> => ({
    description: data.description,
    options: data,
  }),
  keyOf: (member: Pick<Member, 'name' | 'module'>, { options }: NamedFact<{ readonly name?: string }>): string =>
    listedName(member, options.name ?? member.name),
  reword: <O extends object>(
    { description, options }: NamedFact<O>,
    changes: Partial<NamedFact<unknown>>,
  ): NamedFact<O> => ({ description: changes.description ?? description, options: { ...options, ...changes } }),
} as const;

/** A prompt, described by data. */
export interface PromptData extends EntryDataBase, Omit<PromptOptions, 'name'> {
  readonly kind: 'prompt';
  /** Its name for clients. */
  readonly name: string;
  /** The purpose of the prompt, for the user who picks it. */
  readonly description: string;
  /** Completes its arguments, by their names; an argument with an enum or a boolean type is completed automatically. */
  readonly complete?: Completions;
}

/** One prompt to be. */
export interface PromptPlan extends PlanBase<'prompt', PromptData> {
  readonly completers: readonly CompleterPlan[];
}

const MEMBERS: Names<PromptData> = { ...DATA_MEMBERS, complete: true };

/** What is particular to prompts. */
export const PROMPT_RULES: EntryKindRules<PromptPlan, PromptFact, PromptData> = {
  ...NAMED,
  kind: 'prompt',
  decorator: '@Prompt',
  facts: PROMPT,
  dataKind: 'prompt',
  members: MEMBERS,
  options: optionsOf(MEMBERS, 'description'),
  scan: scanPrompt,
  argumentNames: ({ definition }) => (definition.arguments ?? []).map(({ name }) => name),
  capability: 'prompts',
  offers: { listChanged: true },
  listChange: LIST_CHANGES.prompt,
  listFilter: 'promptsListChanged',
  listMethod: 'prompts/list',
  listMember: 'prompts',
  openList: ({ registry, cache }) => new Listing(registry, 'prompt', cache, shapePage),
  unknown: unknownPrompt,
};

function scanPrompt(member: Member, fact: PromptFact, { completers }: Companions): PromptPlan | undefined {
  const { description, options } = fact;
  const { sources, input } = scanParameters(member, options.input);
  const shape = input === undefined ? NO_INPUT : member.shapes.input(input, { strings: true }, member);
  if (!shape) return undefined;
  const isClean = reportMirroredArguments(shape.schema, 'prompt', (problem) => reportMember(member, problem));
  const hasWords = checkWords({ name: options.name ?? member.name, description }, member.where, member.report);
  const asks = compileForms(member, options.asks);
  if (!asks || !isClean || !hasWords) return undefined;
  const name = NAMED.keyOf(member, fact);
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
  };
}

/** The definition of a prompt, as clients are listed it. */
function promptDefinition(name: string, description: string, options: PromptOptions, input: InputShape): Prompt {
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

function shapePage({ definitions, nextCursor, cache }: ListedPage<'prompt'>): ListPromptsResult {
  return { prompts: definitions, ...(nextCursor !== undefined && { nextCursor }), ...cache };
}
