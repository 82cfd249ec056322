/** `searchToolset()`: two tools in place of all others, as one value. */
import {
  tool,
  ToolFailure,
  type Access,
  type EntryFacts,
  type EntryListing,
  type Extension,
  type ExtensionServices,
  type FeatureData,
  type JsonObject,
  type McpContext,
} from '@sigil-mcp/core';
import { checkOptions, isObject, membersOf, OPTION_RULES, wholeNumber } from '@sigil-mcp/core/internal';
import { argumentsOf, countArgument, objectArgument, textArgument } from './arguments';
import { isOfToolset, toolOptions, ToolsetCalls, type ToolsetCall } from './toolset-tool';
import {
  checkAlways,
  LONGEST_QUERY,
  MOST_RESULTS,
  resolveSearch,
  SHARED_OPTIONS,
  type ListedTools,
  type ResolvedSearch,
  type SearchToolsetOptions,
} from './search-options';
import { describeFound, type FoundTools } from './search/found-tools';
import { ToolIndex } from './search/tool-index';

/** The name of the extension. */
export const SEARCH_TOOLSET = 'io.github.sigil-mcp/search-toolset';

const TOOLSET = 'searchToolset';
const OPTIONS = {
  ...SHARED_OPTIONS,
  names: membersOf({ search: OPTION_RULES.text, call: OPTION_RULES.text }),
  results: wholeNumber(1, MOST_RESULTS),
  answerLength: wholeNumber(1000, 1_000_000),
};

/** Characters of a name. */
const LONGEST_NAME = 128;

/** What the model calls. */
interface ToolRequest {
  readonly name: string;
  readonly arguments?: JsonObject;
}

/**
 * Two tools that never change, `search_tools` and `call_tool`, in place of the list of all tools: for servers with more tools than a model
 * should read, and hosts that have no search of their own. A caller finds and calls the tools that it could see in the list; they are
 * called with their guards, limits and questions.
 * @example
 * createServer({ name: 'erp', version: '1.0.0', features, extensions: [searchToolset({ always: ['log_in'] })] });
 */
export function searchToolset(options: SearchToolsetOptions = {}): Extension<object> {
  // JavaScript, or a cast, may pass any value: it is reported when the server is defined.
  const given: SearchToolsetOptions = isObject(options) ? options : {};
  const resolved = resolveSearch(given);
  const { names } = resolved;
  const own = [names.search, names.call];
  const calls = new ToolsetCalls<StartedSearch>();
  const results = new WeakMap<McpContext, object>();
  const listing = hidingFor(given);
  const extension: Extension<StartedSearch> = {
    name: SEARCH_TOOLSET,
    features: ({ report }) =>
      checkOptions(TOOLSET, options, OPTIONS, report)
        ? [
            searchTool(options, resolved, (context) => calls.of(context)),
            callTool(options, resolved, async (wanted, context) => {
              results.set(context, await callFound(wanted, calls.of(context), resolved));
            }),
          ]
        : [],
    list: () => listing,
    checkAll: (entries, report) => checkAlways(TOOLSET, given.always, entries, report),
    // The result of a tool is answered as it is: nothing of it is read.
    stage: ({ kind, key }) =>
      kind === 'tool' && own.includes(key) ? calls.stage((context) => results.get(context)) : undefined,
    start: (services) => ({ services, index: openIndex(services) }),
  };
  return extension;
}

/** What there is of one server while it runs. */
interface StartedSearch {
  readonly services: ExtensionServices;
  readonly index: ToolIndex;
}

function searchTool(
  options: SearchToolsetOptions,
  { names, results, answerLength }: ResolvedSearch,
  callOf: (context: McpContext) => StartedSearch,
): FeatureData {
  const input = argumentsOf<{ readonly query: string; readonly limit?: number }>({
    query: textArgument('What the tool should do, in a few words', LONGEST_QUERY),
    limit: countArgument(`How many tools to answer with; ${results} if left out`, MOST_RESULTS),
  });
  const description =
    'Finds tools of this server. It has many more than are listed here: before you say that something cannot be done, search for it, ' +
    `such as "send an invoice". Answers with the best matches, each with its description and the inputSchema of its arguments. ` +
    `Call them with ${names.call}.`;
  return tool(
    names.search,
    { ...toolOptions(options), description, input, readOnly: true, openWorld: false, timeout: Infinity },
    async ({ query, limit = results }, context): Promise<FoundTools> => {
      const { services, index } = callOf(context);
      const ranked = index.search(query);
      return describeFound(await firstVisible(ranked, limit, { access: context, services }), answerLength);
    },
  );
}

function callTool(
  options: SearchToolsetOptions,
  { names }: ResolvedSearch,
  run: (wanted: ToolRequest, context: McpContext) => Promise<void>,
): FeatureData {
  const input = argumentsOf<ToolRequest>({
    name: textArgument('The name of the tool', LONGEST_NAME),
    arguments: objectArgument('Its arguments, by its inputSchema; none if left out'),
  });
  const description = `Calls a tool that ${names.search} has found.`;
  // The time limit is that of the tool that is called.
  return tool(names.call, { ...toolOptions(options), description, input, timeout: Infinity }, run);
}

/** @throws ToolFailure for a tool that the caller cannot see, in the same words as for one that does not exist */
async function callFound(
  { name, arguments: given = {} }: ToolRequest,
  { call, services }: ToolsetCall,
  { names }: ResolvedSearch,
): Promise<object> {
  const own = [names.search, names.call];
  if (own.includes(name))
    throw new ToolFailure(`${name} is no tool to be called with ${names.call}: call it directly.`);
  const found = services.entries.find('tool', name);
  if (!found || !isOffered(found) || !(await services.allows(call.context, found)))
    throw new ToolFailure(`There is no tool ${JSON.stringify(name)}. Find the names of tools with ${names.search}.`);
  return call.run('tools/call', { name, arguments: given });
}

// Which tools of a server with a toolset the list shows, and which a caller may use.

/** What lists show of each entry: nothing, if a toolset takes its place. */
export function hidingFor({ always = [] }: { readonly always?: ListedTools }): EntryListing {
  return {
    isHidden(entry) {
      if (!isTool(entry) || isOfToolset(entry) || isOfView(entry)) return false;
      return typeof always === 'function' ? !always(entry) : !always.includes(entry.key);
    },
  };
}

/** An index of the tools that a toolset offers. */
export function openIndex({ entries }: ExtensionServices): ToolIndex {
  const index = new ToolIndex(entries, isOffered);
  index.refresh();
  return index;
}

function isTool(entry: EntryFacts): entry is EntryFacts<'tool'> {
  return entry.kind === 'tool';
}

/** Whether a toolset offers a tool to models at all. */
export function isOffered(tool: EntryFacts<'tool'>): boolean {
  return !isOfToolset(tool) && isForModel(tool);
}

/** The first tools of a list that a caller may see. The others are not looked at, because guards may take some time. */
export async function firstVisible(
  tools: readonly EntryFacts<'tool'>[],
  count: number,
  { access, services }: { readonly access: Access; readonly services: ExtensionServices },
): Promise<EntryFacts<'tool'>[]> {
  const seen: EntryFacts<'tool'>[] = [];
  for (let next = 0; seen.length < count && next < tools.length; next += count) {
    const some = tools.slice(next, next + count);
    const verdicts = await Promise.all(some.map(async (tool) => services.allows(access, tool)));
    seen.push(...some.filter((_, index) => verdicts[index]));
  }
  return seen.slice(0, count);
}

/** Whether hosts need a tool in the list. */
function isOfView({ definition }: EntryFacts<'tool'>): boolean {
  return isObject(definition._meta?.['ui']);
}

/** Whether a model may call a tool: some are for views alone. */
function isForModel({ definition }: EntryFacts<'tool'>): boolean {
  const ui = definition._meta?.['ui'];
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes('model');
}
