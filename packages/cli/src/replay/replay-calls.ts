/** Runs recorded calls against a server, and says which are answered otherwise. */
import type { NewAnswer, AnswerVerdict } from '@sigil-mcp/contract/recording';
import type { Tool } from '@sigil-mcp/protocol';
import { asSent } from '../session/as-sent';
import { judgeOutput, schemaJudge, type SchemaJudge } from '../session/judge-output';
import type { CommandSession } from '../session/session';
import type { RecordedLine } from './recorded-file';

/** The verdict on a recorded call. `gone`: the server has no such tool. `invalid`: its arguments are no longer accepted. `skipped`: not run. */
export type ReplayVerdict = AnswerVerdict | 'gone' | 'invalid' | 'skipped';

/** A recorded call, and its verdict. */
export interface ReplayedCall extends RecordedLine {
  readonly verdict: ReplayVerdict;
  /** Why, or what has changed. */
  readonly details: readonly string[];
}

/** How calls are run. */
export interface ReplayOptions {
  /** Whether tools run that are not read-only. */
  readonly runsAll: boolean;
}

/**
 * Runs the calls, one after the other. A tool that is not read-only does not run unless all do: that it is there, and takes the arguments, is
 * checked by its definition.
 */
export async function replayCalls(
  session: CommandSession,
  calls: readonly RecordedLine[],
  options: ReplayOptions,
): Promise<readonly ReplayedCall[]> {
  const { compareAnswers } = await import('@sigil-mcp/contract/recording');
  const tools = await toolsOf(session);
  const judge = await schemaJudge();
  const replayed: ReplayedCall[] = [];
  for (const recorded of calls) {
    const known = beforeRunning(recorded, tools, { ...options, judge });
    if (known) {
      replayed.push({ ...recorded, ...known });
      continue;
    }
    const { verdict, details } = compareAnswers(recorded.call, await answerOf(session, recorded, tools));
    replayed.push({ ...recorded, verdict, details });
  }
  return replayed;
}

async function toolsOf({ client, request }: CommandSession): Promise<ReadonlyMap<string, Tool>> {
  const tools = client.server.capabilities.tools ? await client.allTools(request) : [];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

type CallVerdict = Pick<ReplayedCall, 'verdict' | 'details'>;

/** What is known of a call without running it; undefined for one that is to run. */
function beforeRunning(
  { call }: RecordedLine,
  tools: ReadonlyMap<string, Tool>,
  { runsAll, judge }: ReplayOptions & { readonly judge: SchemaJudge },
): CallVerdict | undefined {
  if (call.isRedacted) return skipped('a sensitive value is not in the recording');
  if (call.hasAsked) return skipped('it asked the user, whose answers are not in the recording');
  if (call.outcome === 'other') return skipped('it had no result of its own, as a task has none');
  if (call.method !== 'tools/call') return undefined;
  const tool = tools.get(String(call.params['name']));
  if (runsAll || tool?.annotations?.readOnlyHint === true) return undefined;
  if (!tool) return call.outcome === 'result' ? { verdict: 'gone', details: [GONE] } : { verdict: 'same', details: [] };
  const wrong = call.outcome === 'result' ? judge(tool.inputSchema, call.params['arguments'] ?? {}) : undefined;
  if (wrong !== undefined) return { verdict: 'invalid', details: [wrong] };
  return skipped('the tool is not read-only, and takes the arguments');
}

const GONE = 'The server lists no such tool. If it is an old name of another one, run the calls with --all.';

function skipped(reason: string): CallVerdict {
  return { verdict: 'skipped', details: [reason] };
}

async function answerOf(
  session: CommandSession,
  { call }: RecordedLine,
  tools: ReadonlyMap<string, Tool>,
): Promise<NewAnswer> {
  const { client, request } = session;
  const { method, params } = call;
  try {
    if (method === 'prompts/get')
      return { kind: 'result', result: await client.request(asSent('prompts/get'), params, request) };
    if (method !== 'tools/call')
      return { kind: 'result', result: await client.request(asSent('resources/read'), params, request) };
    const result = await client.request(asSent('tools/call'), params, request);
    await judgeOutput(tools.get(String(params['name'])), result);
    return { kind: 'result', result };
  } catch (error) {
    // What ends the connection ends the command.
    if (session.explainLoss(error) || request.signal?.aborted) throw error;
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'error', code: typeof code === 'number' ? code : undefined, message };
  }
}
