/** `sigil read`: reads a resource. */
import { RpcError } from '@sigil-mcp/client';
import { ERROR_CODES, LOG_LEVELS, type LogLevel, type ReadResourceResult } from '@sigil-mcp/protocol';
import { type Command as Program, Option } from 'commander';
import { suggest } from '../arguments/find-unsaid';
import { protocolError, wrongUsage } from '../failure';
import { stdoutDestination } from '../results/print-result';
import { showContents } from '../results/show-content';
import { isBareAddress } from '../targets/target';
import { asSent } from '../session/as-sent';
import { withServer, type CommandSession } from '../session/session';
import { sessionOptions, splitTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';

/** The option `--log-level`. */
export const LOG_LEVEL_OPTION = new Option('--log-level <level>', 'the lowest level of server logs to show')
  .choices(LOG_LEVELS)
  .default('info');

/** The options of commands that print a result. */
export interface ResultFlags extends ParsedSessionOptions {
  readonly json: boolean;
  readonly output: string;
  readonly logLevel: LogLevel;
}

/** Adds the command. */
export function registerRead(program: Program, shell: Shell): void {
  const command = program
    .command('read')
    .summary('read a resource of a server')
    .description(
      'Reads a resource. The target is a URL, a file, a command in quotes, or a command after --; without one, the project in this folder.',
    )
    .usage('[options] [target] <uri>')
    .argument('[words...]')
    .option('--json', 'print the whole result as JSON', false)
    .option('--output <folder>', 'the folder for contents other than text', '.')
    .addOption(LOG_LEVEL_OPTION);
  withSessionOptions(command).action(async (words: string[], options: ResultFlags) => {
    const { target, rest } = splitTarget(shell, words, command, isUri);
    const [uri] = rest;
    if (uri === undefined || rest.length > 1) {
      throw wrongUsage('SIGIL_CLI_ONE_RESOURCE');
    }
    const result = await withServer(target, sessionOptions(shell, options), (session) =>
      readResource(session, uri, options),
    );
    if (options.json) return shell.printJson(result);
    const destination = stdoutDestination(shell, options.output);
    // All files are written before a line is printed.
    const texts = result.contents.map((contents) => showContents(contents, destination));
    for (const text of texts) shell.printData(text);
  });
}

/** Whether the only word is the URI of a resource, and not a target. */
function isUri(word: string, next: string | undefined, exists: (path: string) => boolean): boolean {
  const hasScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(word);
  return next === undefined && hasScheme && !isBareAddress(word) && !exists(word);
}

async function readResource(
  session: CommandSession,
  uri: string,
  { logLevel }: ResultFlags,
): Promise<ReadResourceResult> {
  const { client, request } = session;
  await setLogLevel(session, logLevel);
  try {
    return await client.request(asSent('resources/read'), { uri }, request);
  } catch (error) {
    throw isMissing(error) ? await explainMissing(session, uri, error) : error;
  }
}

/** The error codes of servers for an unknown resource, in the newest revision and in those before it. */
const MISSING: readonly number[] = [ERROR_CODES['resource-not-found'], -32002];

function isMissing(error: unknown): error is RpcError {
  return error instanceof RpcError && MISSING.includes(error.code);
}

async function explainMissing({ client, request }: CommandSession, uri: string, error: RpcError): Promise<Error> {
  const uris = (await client.allResources(request)).map((resource) => resource.uri);
  const templates = await client.allResourceTemplates(request);
  const patterns = templates.map(({ uriTemplate }) => uriTemplate);
  const suggestion = suggest(uri, [...uris, ...patterns]);
  return protocolError('SIGIL_CLI_RESOURCE_UNKNOWN', { uri, reason: error.message, code: error.code, suggestion });
}

/** Sets the lowest level of the logs of a server that has some: at once if the session stores it, or else with each request. */
export async function setLogLevel({ client, request }: CommandSession, level: LogLevel): Promise<void> {
  if (client.server.capabilities.logging) await client.setLevel(level, request);
}
