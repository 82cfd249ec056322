/** What a script did, as the result of a tool. */
import { text, toolResult, type JsonValue, type ToolResult } from '@sigil-mcp/core';
import type { LimitsOfScripts } from './code-options';
import { LONGEST_QUERY } from '../search-options';
import type { CodeProblem, EndedScript, ScriptEnd } from './threads/messages';
import { wordsForLimit } from './threads/said-by-script';

/** A script that the compiler refused. */
export function refusedScript(problems: readonly CodeProblem[]): ToolResult {
  const lines = problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  return failed(['Nothing was run, because the script does not compile (line:column):', ...lines].join('\n'), []);
}

/** A script that the compiler did not check in its time. */
export function uncheckedScript({ check }: LimitsOfScripts): ToolResult {
  return failed(
    `Nothing was run, because the compiler needs more than ${check} ms or too much memory for the types of this script (limits.check). Use simpler types.`,
    [],
  );
}

/** A script that has run. */
export function endedScript({ end, console }: EndedScript, limits: LimitsOfScripts): ToolResult {
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
