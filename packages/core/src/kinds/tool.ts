/** Tools: functions that a model calls. */
import type { ListToolsResult, Tool, ToolAnnotations } from '@sigil-mcp/protocol';
import { TOOL, type ToolFact, type ToolOptions, type ToolSettings } from '../decorators/tool';
import { checkWords, unknownTool, wordsFor } from '../errors/catalogue';
import { compileToolOutput } from '../output/shape-tool-output';
import { NO_INPUT, type InputShape, type OutputShape } from '@sigil-mcp/schema';
import { readMirroredArguments, type MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import { isObject, nameValue } from '@sigil-mcp/base';
import type { Concurrency } from '../limits/client-turns';
import { checkPlaceholders } from '../members/check-placeholders';
import { checkTimeout } from '../members/read-policy';
import { DATA_MEMBERS, optionsOf, type EntryDataBase, type Names } from '../members/data-base';
import {
  compileForms,
  reportMember,
  surroundingsOf,
  type Member,
  type PlanBase,
  type ToolVersions,
} from '../members/member';
import { scanParameters } from '../members/scan-parameters';
import { Listing, type ListedPage } from '../registry/listing';
import { LIST_CHANGES, type EntryKindRules } from './entry-kind-rules';
import { NAMED } from './prompt';
import type * as Versions from './tool-versions';

/** A tool, described by data. */
export interface ToolData extends EntryDataBase, Omit<ToolOptions, 'name'> {
  readonly kind: 'tool';
  /** Its name for clients, 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** The purpose of the tool and when to call it, for the model. */
  readonly description: string;
}

/** One tool to be. */
export interface ToolPlan extends PlanBase<'tool', ToolData> {
  /** Time limit of a call in milliseconds, undefined for none. */
  readonly timeout: number | undefined;
  /** Calls that run at the same time, undefined for any number. */
  readonly concurrency: Concurrency | undefined;
  /** Arguments that clients mirror into headers. */
  readonly mirrored: readonly MirroredArgument[];
}

/** Those of the protocol: extensions may add others to the interface. */
const MEMBERS: Names<EntryDataBase & ToolSettings & Pick<ToolData, 'kind' | 'description'>> = {
  ...DATA_MEMBERS,
  output: true,
  readOnly: true,
  destructive: true,
  idempotent: true,
  openWorld: true,
  coerce: true,
  timeout: true,
  concurrency: true,
  mimeType: true,
  since: true,
  deprecated: true,
  replaces: true,
};

/** What is particular to tools. */
export const TOOL_RULES: EntryKindRules<ToolPlan, ToolFact, ToolData> = {
  ...NAMED,
  kind: 'tool',
  decorator: '@Tool',
  facts: TOOL,
  dataKind: 'tool',
  members: MEMBERS,
  options: optionsOf(MEMBERS, 'description'),
  scan: scanTool,
  capability: 'tools',
  offers: { listChanged: true },
  listChange: LIST_CHANGES.tool,
  listFilter: 'toolsListChanged',
  listMethod: 'tools/list',
  listMember: 'tools',
  openList: ({ registry, cache }) => new Listing(registry, 'tool', cache, shapePage),
  unknown: unknownTool,
};

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function scanTool(member: Member, fact: ToolFact): ToolPlan | undefined {
  const { description, options } = fact;
  const name = NAMED.keyOf(member, fact);
  const { timeout = member.toolTimeout } = options;
  const isInOrder = [
    checkToolName(member, name),
    checkWords({ description }, member.where, member.report),
    checkTimeout(timeout, member.where, member.report),
    checkConcurrency(member, options.concurrency),
  ].every(Boolean);
  const hasVersions = options.since !== undefined || options.deprecated !== undefined || options.replaces !== undefined;
  const versions = hasVersions ? loadVersions().readVersions(member, name, options) : undefined;
  const asks = compileForms(member, options.asks);
  const { sources, input } = scanParameters(member, options.input);
  const { shapes } = member;
  const inputShape = input === undefined ? NO_INPUT : shapes.input(input, { coerce: options.coerce ?? false }, member);
  const outputShape = options.output === undefined ? undefined : shapes.output(options.output, member);
  const mirrored = inputShape && readMirroredArguments(inputShape, member.report, member.where);
  if (!isInOrder || !asks || !inputShape || !mirrored || (options.output !== undefined && !outputShape))
    return undefined;
  if (hasVersions && !versions) return undefined;
  const definition = toolDefinition(name, description, options, { input: inputShape, output: outputShape, versions });
  checkPlaceholders(member, definition);
  return {
    kind: 'tool',
    key: name,
    definition,
    ...surroundingsOf(member),
    parameters: sources,
    input: inputShape,
    output: outputShape,
    asks,
    shapeOutput: compileToolOutput({ tool: name, where: member.where, shape: outputShape, mimeType: options.mimeType }),
    timeout: timeout === Infinity ? undefined : timeout,
    concurrency: concurrencyOf(options.concurrency),
    mirrored,
    versions,
  };
}

/** Loads what only tools need that were renamed, or say in which versions they are. */
function loadVersions(): typeof Versions {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  return require('./tool-versions') as typeof Versions;
}

/** The definition of a tool, as clients are listed it. */
function toolDefinition(
  name: string,
  description: string,
  options: ToolOptions,
  said: {
    readonly input: InputShape;
    readonly output: OutputShape | undefined;
    readonly versions: ToolVersions | undefined;
  },
): Tool {
  const { title } = options;
  const inputSchema = said.input.schema;
  // Member by member: to spread what may be there takes many times as long.
  const definition: Writable<Tool> =
    title === undefined ? { name, description, inputSchema } : { name, title, description, inputSchema };
  const annotations = toolAnnotations(options);
  if (said.output) definition.outputSchema = said.output.schema;
  if (annotations) definition.annotations = annotations;
  if (options.icons) definition.icons = options.icons;
  if (options.meta) definition._meta = options.meta;
  return said.versions ? loadVersions().withVersions(definition, said.versions) : definition;
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

function checkConcurrency(member: Member, concurrency: ToolOptions['concurrency']): boolean {
  if (concurrency === undefined || concurrency === Infinity) return true;
  const { calls, perClient = 1 } = isObject(concurrency) ? concurrency : { calls: concurrency };
  const areCounts = [calls, perClient].every((count) => Number.isSafeInteger(count) && count >= 1);
  if (areCounts && perClient <= calls) return true;
  const shown = isObject(concurrency) ? JSON.stringify(concurrency) : String(concurrency);
  reportMember(member, wordsFor('SIGIL_CONCURRENCY', { concurrency: shown }));
  return false;
}

/** A client has half of the calls, unless the author says how many. */
function concurrencyOf(concurrency: ToolOptions['concurrency']): Concurrency | undefined {
  if (concurrency === undefined || concurrency === Infinity) return undefined;
  const { calls, perClient = Math.ceil(calls / 2) } =
    typeof concurrency === 'number' ? { calls: concurrency } : concurrency;
  return { calls, perClient };
}

function checkToolName(member: Member, name: unknown): boolean {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return true;
  reportMember(
    member,
    wordsFor('SIGIL_TOOL_NAME', { name: typeof name === 'string' ? JSON.stringify(name) : nameValue(name) }),
  );
  return false;
}

function shapePage({ definitions, nextCursor, cache }: ListedPage<'tool'>): ListToolsResult {
  return { tools: definitions, ...(nextCursor !== undefined && { nextCursor }), ...cache };
}
