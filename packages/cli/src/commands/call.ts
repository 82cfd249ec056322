/** `sigil call`: calls a tool as an AI application would, with arguments typed by its schema. */
import type { Command as Program } from 'commander';
import { withStdin } from '../arguments/with-stdin';
import { SchemaView } from '../arguments/json-schema';
import { suggest } from '../arguments/find-unsaid';
import { storeTools } from '../completion/remembered-tools';
import { describeStatuses, FAILED, SUCCESS } from '../exit-status';
import { wrongUsage } from '../failure';
import { findProject } from '../project/find-project';
import { readOrAsk } from '../questions/missing-arguments';
import { describePolicy } from '../inspect/entry-notes';
import { stdoutDestination } from '../results/print-result';
import { showContent } from '../results/show-content';
import { TASK } from '@sigil-mcp/client/internal';
import { META_KEYS, TypedResult, type CallToolResult, type Tool } from '@sigil-mcp/protocol';
import { asSent } from '../session/as-sent';
import { judgeOutput } from '../session/judge-output';
import { explainMasked, withServer, type CommandSession, type TargetReader } from '../session/session';
import { followAgain, followCall } from '../tasks/follow-call';
import { sessionOptions, splitTarget, withSessionOptions } from './session-options';
import { repeatAfterChanges } from './repeat-after-changes';
import { LOG_LEVEL_OPTION, setLogLevel, type ResultFlags } from './read';
import type { Shell } from '../terminal/shell';

interface CallFlags extends ResultFlags {
  readonly asIs: boolean;
  readonly watch: boolean;
  readonly task?: string;
}

const EXAMPLES = `
Arguments:
  city=Oslo days=5         typed by the tool's schema
  cities=Oslo cities=Rome  an array, or cities='["Oslo","Rome"]'
  destination.city=Oslo    a property of an object
  text=@notes.txt          the contents of a file (text=@@x is "@x")
  '{"city":"Oslo"}'        all arguments as JSON
  -                        all arguments as JSON, from stdin
  --as-is '{"citty":1}'    the same, unchecked: shows the error that a model reads

At a terminal, required arguments that are missing are asked for.

Examples:
  sigil call takeNote title=milk             the project in this folder
  sigil call localhost:3000/mcp listNotes    a server at an address
  sigil call plot 'points=[1,2]' -- npx some-server
  sigil call takeNote title=milk --watch     again after each change of the project
  sigil call localhost:3000/mcp --task id    follow a task that another command has started
  echo '{"title":"milk"}' | sigil call takeNote -

${describeStatuses()}`;

/** Adds the command. */
export function registerCall(program: Program, shell: Shell): void {
  const command = program
    .command('call')
    .summary('call a tool of a server')
    .description(
      'Calls a tool. The target is a URL, a file, a command in quotes, or a command after --; without one, the project in this folder.',
    )
    .usage('[options] [target] <tool> [key=value...]')
    .argument('[words...]')
    .option('--json', 'print the structured result, or else the whole result, as JSON', false)
    .option('--output <folder>', 'the folder for images, audio and other files', '.')
    .option('--as-is', "send the arguments without checking them by the tool's schema", false)
    .option('--watch', 'repeat the call after each change of the project', false)
    .option('--task <id>', 'follow a task that an earlier call has started, in place of a tool')
    .addOption(LOG_LEVEL_OPTION)
    .addHelpText('after', EXAMPLES);
  withSessionOptions(command).action(async (words: string[], options: CallFlags) => {
    const { target, work } = await readWork(shell, { words, command }, options);
    const session = sessionOptions(shell, options);
    const once = async (cancel?: AbortSignal): Promise<void> => {
      const result = await withServer(target, { ...session, ...(cancel && { cancel }) }, work);
      printResult(shell, result, options);
      shell.status = result.isError ? FAILED : SUCCESS;
    };
    if (options.watch) await repeatAfterChanges(shell, findProject(shell.cwd).folder, once, options.json);
    else await once();
  });
}

/** What a command does with a server. */
interface CallPlan {
  readonly target: TargetReader;
  readonly work: (session: CommandSession) => Promise<CallToolResult>;
}

async function readWork(
  shell: Shell,
  { words, command }: { readonly words: readonly string[]; readonly command: Program },
  options: CallFlags,
): Promise<CallPlan> {
  const { task } = options;
  // Without a tool, the first argument is the target.
  const { target, rest, isImplied } = splitTarget(shell, words, command, task === undefined ? undefined : () => false);
  const [name, ...given] = rest;
  if (task !== undefined) {
    if (name !== undefined) throw wrongUsage('SIGIL_CLI_TASK_AND_TOOL', { name });
    return { target, work: (session) => followAgain(session, task) };
  }
  if (name === undefined) {
    const usage = 'sigil call [target] <tool> [key=value...]';
    throw wrongUsage('SIGIL_CLI_NOTHING_NAMED', { kind: 'tool', verb: 'call', usage });
  }
  const typed = { name, words: await withStdin(shell, given), isImplied };
  return { target, work: (session) => callTool(session, typed, options) };
}

/** A call as it was typed. */
interface TypedCall {
  readonly name: string;
  readonly words: readonly string[];
  /** Whether no target was given, so that its place has the name. */
  readonly isImplied: boolean;
}

async function callTool(
  session: CommandSession,
  { name, words, isImplied }: TypedCall,
  { logLevel, asIs }: CallFlags,
): Promise<CallToolResult> {
  const { client, request, status } = session;
  const tools = client.server.capabilities.tools ? await client.allTools(request) : [];
  storeTools(session.target, tools);
  const tool = findTool(name, tools, { maySignIn: session.maySignIn, isImplied });
  const view = SchemaView.of(asIs ? {} : tool.inputSchema);
  const args = await readOrAsk(words, { view, of: `The tool ${name}`, ask: session.ask });
  await setLogLevel(session, logLevel);
  const onProgress = status.progress.bind(status);
  const options = { ...request, onProgress, resultTypes: [TASK] };
  const answer = await client.request(asSent('tools/call'), { name, arguments: args }, options);
  const result = answer instanceof TypedResult ? await followCall(session, answer.value) : answer;
  await judgeOutput(tool, result);
  const masked = result.isError ? await explainMasked(session, textOf(result)) : undefined;
  if (masked !== undefined) status.print(masked);
  return result;
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function findTool(
  name: string,
  tools: readonly Tool[],
  { maySignIn, isImplied }: Pick<CommandSession, 'maySignIn'> & Pick<TypedCall, 'isImplied'>,
): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const names = tools.map((tool) => tool.name);
  const hint =
    maySignIn && tools.some((tool) => describePolicy(tool) !== undefined)
      ? ' A user who signs in may see more: --sign-in.'
      : '';
  const target = isImplied ? ` There is no file "${name}" either.` : '';
  const suggestion = `${suggest(name, names)}${target}${hint}`;
  throw wrongUsage('SIGIL_CLI_ENTRY_UNKNOWN', { kind: 'tool', name, suggestion });
}

function printResult(shell: Shell, result: CallToolResult, { json, output }: CallFlags): void {
  if (json) return shell.printJson(result.structuredContent ?? withoutServerInfo(result));
  const destination = stdoutDestination(shell, output);
  const texts = result.content.map((block) => showContent(block, destination));
  if (texts.length === 0 && result.structuredContent !== undefined) return shell.printJson(result.structuredContent);
  for (const text of texts)
    shell.printData(result.isError && destination.isTerminal ? destination.styles.bad(text) : text);
}

/** The result without the name of the server, which the newest revision repeats in each answer. */
function withoutServerInfo({ _meta, ...result }: CallToolResult): object {
  const { [META_KEYS.serverInfo]: _, ...rest } = _meta ?? {};
  return Object.keys(rest).length === 0 ? result : { ...result, _meta: rest };
}
