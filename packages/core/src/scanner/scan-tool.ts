/** `@Tool` -> plan. */
import type { Tool, ToolAnnotations } from '@sigil-mcp/protocol';
import type { ToolFact, ToolOptions } from '../decorators/tool';
import { checkWords } from '../errors/check-words';
import { wordsFor } from '../errors/catalogue';
import { compileToolOutput } from '../output/shape-tool-output';
import { NO_INPUT, type InputShape, type OutputShape } from '@sigil-mcp/schema';
import { readMirroredArguments } from '../headers/mirrored-arguments';
import { nameValue } from '@sigil-mcp/base';
import { compileForms } from './check-forms';
import { checkPlaceholders } from './check-placeholders';
import { checkTimeout } from './check-timeout';
import { listedName, surroundingsOf, reportMember, type Member } from './member';
import type { EntryPlan } from './plan';
import { scanParameters } from './scan-parameters';

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Plans a tool; undefined if something about it is wrong, which has been reported. */
export function scanTool(member: Member, { description, options }: ToolFact): EntryPlan<'tool'> | undefined {
  const name = listedName(member, options.name ?? member.name);
  const { timeout = member.toolTimeout } = options;
  const isInOrder = [
    checkToolName(member, name),
    checkWords({ description }, member.where, member.report),
    checkTimeout(timeout, member.where, member.report),
    checkConcurrency(member, options.concurrency),
  ].every(Boolean);
  const asks = compileForms(member, options.asks);
  const { sources, input } = scanParameters(member, options.input);
  const { shapes } = member;
  const inputShape = input === undefined ? NO_INPUT : shapes.input(input, { coerce: options.coerce ?? false }, member);
  const outputShape = options.output === undefined ? undefined : shapes.output(options.output, member);
  const mirrored = inputShape && readMirroredArguments(inputShape.schema, member.report, member.where);
  if (!isInOrder || !asks || !inputShape || !mirrored || (options.output !== undefined && !outputShape))
    return undefined;
  const definition = toolDefinition(name, description, options, { input: inputShape, output: outputShape });
  checkPlaceholders(member, definition);
  return {
    kind: 'tool',
    key: name,
    definition,
    ...surroundingsOf(member),
    parameters: sources,
    input: inputShape,
    asks,
    shapeOutput: compileToolOutput({ tool: name, where: member.where, shape: outputShape, mimeType: options.mimeType }),
    completers: [],
    template: undefined,
    list: undefined,
    cache: undefined,
    timeout: timeout === Infinity ? undefined : timeout,
    concurrency: options.concurrency === Infinity ? undefined : options.concurrency,
    mirrored,
  };
}

/** The definition of a tool, as clients are listed it. */
export function toolDefinition(
  name: string,
  description: string,
  options: ToolOptions,
  shapes: { readonly input: InputShape; readonly output: OutputShape | undefined },
): Tool {
  const { title } = options;
  const inputSchema = shapes.input.schema;
  // Member by member: to spread what may be there takes many times as long.
  const definition: Writable<Tool> =
    title === undefined ? { name, description, inputSchema } : { name, title, description, inputSchema };
  const annotations = toolAnnotations(options);
  if (shapes.output) definition.outputSchema = shapes.output.schema;
  if (annotations) definition.annotations = annotations;
  if (options.icons) definition.icons = options.icons;
  if (options.meta) definition._meta = options.meta;
  return definition;
}

/** Undefined where nothing is said. */
function toolAnnotations({ title, readOnly, destructive, idempotent, openWorld }: ToolOptions) {
  const annotations: Writable<ToolAnnotations> = {};
  if (title !== undefined) annotations.title = title;
  if (readOnly !== undefined) annotations.readOnlyHint = readOnly;
  if (destructive !== undefined) annotations.destructiveHint = destructive;
  if (idempotent !== undefined) annotations.idempotentHint = idempotent;
  if (openWorld !== undefined) annotations.openWorldHint = openWorld;
  return Object.keys(annotations).length > 0 ? annotations : undefined;
}

function checkConcurrency(member: Member, concurrency: number | undefined): boolean {
  if (concurrency === undefined || concurrency === Infinity || (Number.isSafeInteger(concurrency) && concurrency >= 1))
    return true;
  reportMember(member, wordsFor('SIGIL_CONCURRENCY', { concurrency: String(concurrency) }));
  return false;
}

function checkToolName(member: Member, name: unknown): boolean {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return true;
  reportMember(
    member,
    wordsFor('SIGIL_TOOL_NAME', { name: typeof name === 'string' ? JSON.stringify(name) : nameValue(name) }),
  );
  return false;
}
