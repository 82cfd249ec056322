/** `codeToolset()`: one tool in place of all others, which runs scripts against them, as one value. */
import {
  tool,
  ToolFailure,
  type EntryFacts,
  type Extension,
  type ExtensionServices,
  type MaybePromise,
  type McpContext,
  type Stoppable,
  type ToolResult,
  text,
  toolResult,
  type JsonValue,
} from '@sigil-mcp/core';
import { checkOptions, isObject } from '@sigil-mcp/core/internal';
import { argumentsOf, textArgument } from '../arguments';
import { toolOptions, ToolsetCalls, type ToolsetCall } from '../toolset-tool';
import { checkAlways, LONGEST_QUERY } from '../search-options';
import { toolsetProblem } from '../errors';
import { firstVisible, hidingFor, isOffered, openIndex } from '../search-toolset';
import type { ToolIndex } from '../search/tool-index';
import { ScriptApi } from './api/script-api';
import { CODE_OPTIONS, resolveCode, type CodeToolsetOptions, type LimitsOfScripts } from './code-options';
import { ScriptCompiler, findTypeScript } from './compiler';
import { ScriptRun } from './script-run';
import { wordsForLimit, type CodeProblem, type EndedScript, type ScriptEnd } from './threads/messages';

/** The name of the extension. */
export const CODE_TOOLSET = 'io.github.sigil-mcp/code-toolset';

const TOOLSET = 'codeToolset';
/** Tools that a search within a script answers with. */
const [RESULTS, MOST_RESULTS] = [5, 20];

/** What there is of one server while it runs. */
interface StartedCode extends Stoppable {
  readonly services: ExtensionServices;
  readonly index: ToolIndex;
  readonly api: ScriptApi;
  readonly compiler: ScriptCompiler;
}

/**
 * One tool, `run_code`, in place of the list of all tools. It runs TypeScript against the tools of the server: the compiler checks a script
 * before it runs, in QuickJS compiled to WebAssembly, without network, files or modules, and with limits of time, memory and calls. The tools
 * that a script calls run with their guards, limits and questions, for its caller.
 * @example
 * createServer({ name: 'erp', version: '1.0.0', features, extensions: [codeToolset()] });
 */
export function codeToolset(options: CodeToolsetOptions = {}): Extension<object> {
  // JavaScript, or a cast, may pass any value: it is reported when the server is defined.
  const given: CodeToolsetOptions = isObject(options) ? options : {};
  const { name, limits } = resolveCode(given);
  const calls = new ToolsetCalls<StartedCode>();
  const listing = hidingFor(given);
  const input = argumentsOf<{ readonly code: string }>({
    // It has arguments of other tools, some of which may be sensitive.
    code: textArgument('The body of an async function in TypeScript', limits.code, true),
  });
  const run = ({ code }: { readonly code: string }, context: McpContext): Promise<ToolResult> =>
    runScript(code, { ...calls.of(context), limits });
  const extension: Extension<StartedCode> = {
    name: CODE_TOOLSET,
    features: ({ report }) => {
      if (!checkOptions(TOOLSET, options, CODE_OPTIONS, report)) return [];
      const concurrency = { calls: limits.scripts, perClient: limits.scriptsPerClient };
      const settings = { description: DESCRIPTION, input, timeout: limits.time, concurrency };
      return [tool(name, { ...toolOptions(options), ...settings }, run)];
    },
    list: () => listing,
    checkAll(entries, report) {
      checkAlways(TOOLSET, given.always, entries, report);
      const found = findTypeScript();
      if (found?.isUsable) return;
      const what = found ? `version ${found.version} has no compiler that it could call` : 'it is not installed';
      report(toolsetProblem('SIGIL_TOOLSETS_TYPESCRIPT', 'createServer({ extensions })', { what }));
    },
    stage: ({ kind, key }) => (kind === 'tool' && key === name ? calls.stage() : undefined),
    start(services) {
      const compiler = new ScriptCompiler(findTypeScript()?.path ?? '', limits.check);
      const stop = (): MaybePromise<void> => compiler.close();
      return { services, index: openIndex(services), api: new ScriptApi(), compiler, stop };
    },
  };
  return extension;
}

const DESCRIPTION =
  'Runs TypeScript against the tools of this server, which are not listed. `code` is the body of an async function: it may await, and returns ' +
  "the answer. First find tools with a script such as `return search('cancel an invoice')`: it answers with their declarations. Then call " +
  'them: `const order = await tools.get_order({ id }); return order.total`. Use Promise.all for calls that do not need each other, and return ' +
  'only what you need. A tool that fails throws ToolError. The compiler checks the script before anything runs. There are no modules, no files ' +
  'and no network. If a tool asks the user, the script runs again from its beginning, with the results that it had.';

/** Runs a script while its client holds so many bytes for it. */
async function holding<T>({ call, services }: ToolsetCall, bytes: number, run: () => Promise<T>): Promise<T> {
  const held = services.account.hold(call.countedFor, 'scripts');
  const limit = held.grow(bytes);
  if (limit) throw new ToolFailure(`${services.account.sentenceOf(limit)} Run the script again later.`);
  try {
    return await run();
  } finally {
    held.release();
  }
}

interface ScriptCall extends ToolsetCall, StartedCode {
  readonly limits: LimitsOfScripts;
}

async function runScript(code: string, script: ScriptCall): Promise<ToolResult> {
  const { call, services, compiler, index, api, limits } = script;
  const { context } = call;
  const all = [...services.entries.entries('tool')].filter(isOffered);
  const seen = await firstVisible(all, all.length, { access: context, services });
  const tools = new Map<string, EntryFacts<'tool'>>(seen.map((entry) => [entry.key, entry]));
  const checked = await compiler.check(
    { code, api: api.textOf(seen) },
    {
      client: call.countedFor,
      signal: context.signal,
      waitForTurn: (turn) => call.waitForTurn(turn),
    },
  );
  if (checked === 'limit') return uncheckedScript(limits);
  if (checked.problems) return refusedScript(checked.problems);
  const search = (words: string, limit = RESULTS): string => {
    const found = index.search(words).filter(({ key }) => tools.has(key));
    const best = found.slice(0, Math.min(Math.max(Math.trunc(limit), 1), MOST_RESULTS));
    return best.map((entry) => api.readable(entry)).join('\n\n') || 'No tool matches. Search with other words.';
  };
  const compiled = checked.script ?? '';
  const run = new ScriptRun({ ...script, script: compiled, tools, search });
  // What its tools have answered is counted with its call.
  const bytes = 2 * (code.length + compiled.length);
  const ended = await holding({ call, services }, bytes, () => run.run());
  const { end } = ended;
  const refusal = end.kind === 'error' && end.tool !== undefined ? run.refusalOf(end.message) : undefined;
  // A script that leaves a refusal alone is refused as a direct call is, so that a client can ask for scopes.
  if (refusal) throw refusal;
  return endedScript(ended, limits);
}

/** A script that the compiler refused. */
function refusedScript(problems: readonly CodeProblem[]): ToolResult {
  const lines = problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  return failed(['Nothing was run, because the script does not compile (line:column):', ...lines].join('\n'), []);
}

/** A script that the compiler did not check in its time. */
function uncheckedScript({ check }: LimitsOfScripts): ToolResult {
  return failed(
    `Nothing was run, because the compiler needs more than ${check} ms or too much memory for the types of this script (limits.check). Use simpler types.`,
    [],
  );
}

/** A script that has run. */
function endedScript({ end, console }: EndedScript, limits: LimitsOfScripts): ToolResult {
  if (end.kind !== 'result') return failed(wordsFor(end, limits), console);
  const { json } = end;
  const lines = console.length > 0 && { console: [...console] };
  if (json === undefined)
    return toolResult({ content: blocks('The script returned nothing.', console), structured: { ...lines } });
  const result = JSON.parse(json) as JsonValue;
  const shown = typeof result === 'string' ? result : json;
  return toolResult({ content: blocks(shown, console), structured: { result, ...lines } });
}

function failed(message: string, console: readonly string[]): ToolResult {
  return toolResult({ content: blocks(message, console), isError: true });
}

function blocks(first: string, console: readonly string[]) {
  return [text(first), ...(console.length > 0 ? [text(`Console:\n${console.join('\n')}`)] : [])];
}

function wordsFor(end: Exclude<ScriptEnd, { kind: 'result' }>, limits: LimitsOfScripts): string {
  switch (end.kind) {
    case 'error':
      return end.tool === undefined ? `The script failed: ${end.message}` : `tools.${end.tool} failed: ${end.message}`;
    case 'stuck':
      return 'The script waits for something that never happens: a promise that nothing settles.';
    case 'limit':
      return wordsForLimit(end.limit, { ...limits, words: LONGEST_QUERY });
  }
}
