/** `sigil call`: calls a tool as an AI application would, with arguments typed by its schema. */
import type { Command as Program } from 'commander';
import { readArguments } from '../arguments/read-arguments';
import { SchemaView } from '../arguments/json-schema';
import { suggest } from '../arguments/nearest-names';
import { wrongUsage } from '../failure';
import { describePolicy } from '../inspect/describe-policy';
import { stdoutDestination, printJson } from '../results/print-result';
import { showContent } from '../results/show-content';
import type { LoggingLevel, Tool, ToolResult } from '../official-client';
import { showLogHint, withServer, type Session } from '../session/session';
import { sessionOptions, splitTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';
import { withLogLevel, LOG_LEVELS } from './log-level';
import { printData } from '../terminal/outlet';

interface CallOptions extends ParsedSessionOptions {
  readonly json: boolean;
  readonly output: string;
  readonly asIs: boolean;
  readonly logLevel: LoggingLevel;
}

/** The exit status if the tool reports a failure. */
const TOOL_FAILED = 1;

const EXAMPLES = `
Arguments:
  city=Oslo days=5         typed by the tool's schema
  cities=Oslo cities=Rome  an array, or cities='["Oslo","Rome"]'
  destination.city=Oslo          a property of an object
  text=@notes.txt          the contents of a file (text=@@x is "@x")
  '{"city":"Oslo"}'        all arguments as JSON
  --as-is '{"citty":1}'     the same, unchecked: shows the error that a model reads

Exit status:
  0 a result, 1 the tool failed, 2 wrong usage, 3 an error of the protocol, 4 no server, 130 Ctrl-C`;

/** Adds the command. */
export function registerCall(program: Program): void {
  const command = program
    .command('call')
    .summary('call a tool of a server')
    .description('Calls a tool. The target is a URL, a file, a command in quotes, or a command after --.')
    .usage('[options] <target> <tool> [key=value...]')
    .argument('[words...]', 'the target, the tool and its arguments')
    .option('--json', 'print the structured result, or else the whole result, as JSON', false)
    .option('--output <folder>', 'the folder for images, audio and other files', '.')
    .option('--as-is', "send the arguments without checking them by the tool's schema", false)
    .addOption(LOG_LEVELS)
    .addHelpText('after', EXAMPLES);
  withSessionOptions(command).action(async (words: string[], options: CallOptions) => {
    const { target, rest } = splitTarget(words, command);
    const [tool, ...given] = rest;
    if (tool === undefined) {
      const usage = 'sigil call <target> <tool> [key=value...]';
      throw wrongUsage('SIGIL_CLI_NOTHING_NAMED', { kind: 'tool', verb: 'call', usage });
    }
    const result = await withServer(target, sessionOptions(options), (session) =>
      callTool(session, tool, given, options),
    );
    printResult(result, options);
    if (result.isError) process.exitCode = TOOL_FAILED;
  });
}

async function callTool(
  session: Session,
  name: string,
  words: readonly string[],
  { logLevel, asIs }: CallOptions,
): Promise<ToolResult> {
  const { client, request, status } = session;
  const { tools } = client.getServerCapabilities()?.tools ? await client.listTools(undefined, request) : { tools: [] };
  const tool = findTool(name, tools, session);
  const args = readArguments(words, SchemaView.of(asIs ? {} : tool.inputSchema), `The tool ${name}`);
  const meta = await withLogLevel(session, logLevel);
  const result = await client.callTool(
    { name, arguments: args, ...meta },
    {
      ...request,
      onprogress: (progress) => !isOwnReport(progress.message) && status.progress(progress),
    },
  );
  const hint = result.isError ? showLogHint(session, textOf(result)) : undefined;
  if (hint !== undefined) status.print(hint);
  return result;
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** The official client reports its own rounds of questions as if they were progress of the server. */
function isOwnReport(message: string | undefined): boolean {
  return message?.startsWith('Fulfilling input required by ') === true;
}

function findTool(name: string, tools: readonly Tool[], { maySignIn }: Session): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const names = tools.map((tool) => tool.name);
  const hint =
    maySignIn && tools.some((tool) => describePolicy(tool) !== undefined)
      ? ' A user who signs in may see more: --sign-in.'
      : '';
  throw wrongUsage('SIGIL_CLI_ENTRY_UNKNOWN', { kind: 'tool', name, suggestion: `${suggest(name, names)}${hint}` });
}

function printResult(result: ToolResult, { json, output }: CallOptions): void {
  if (json) return printJson(result.structuredContent ?? result);
  const destination = stdoutDestination(output);
  const texts = result.content.map((block) => showContent(block, destination));
  if (texts.length === 0 && result.structuredContent !== undefined) return printJson(result.structuredContent);
  for (const text of texts) printData(result.isError && destination.isTerminal ? destination.styles.bad(text) : text);
}
