/** `sigil read`: reads a resource. */
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { type Command as Program, Option } from 'commander';
import { suggest } from '../arguments/suggest';
import { protocolError, wrongUsage } from '../failure';
import { stdoutDestination } from '../results/print-result';
import { showContents } from '../results/show-content';
import type { LoggingLevel, OfficialClient } from '../official-client';
import { isBareAddress } from '../targets/is-target';
import { withServer, type CommandSession } from '../session/session';
import { sessionOptions, splitTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';

/** The option `--log-level`. */
export const LOG_LEVEL_OPTION = new Option('--log-level <level>', 'the lowest level of server logs to show')
  .choices(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
  .default('info');

interface ReadOptions extends ParsedSessionOptions {
  readonly json: boolean;
  readonly output: string;
  readonly logLevel: LoggingLevel;
}

type ReadResult = Awaited<ReturnType<CommandSession['client']['readResource']>>;

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
  withSessionOptions(command).action(async (words: string[], options: ReadOptions) => {
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

async function readResource(session: CommandSession, uri: string, { logLevel }: ReadOptions): Promise<ReadResult> {
  const { client, official, request } = session;
  const meta = await withLogLevel(session, logLevel);
  try {
    return await client.readResource({ uri, ...meta }, request);
  } catch (error) {
    throw isMissing(error, official) ? await explainMissing(session, uri, error) : error;
  }
}

/** The error codes of servers for an unknown resource, in the newest revision and in those before it. */
const MISSING: readonly number[] = [ERROR_CODES['resource-not-found'], -32002];

function isMissing(error: unknown, { ProtocolError }: OfficialClient): error is Error & { code: number } {
  return error instanceof ProtocolError && MISSING.includes(error.code);
}

async function explainMissing(
  { client, request }: CommandSession,
  uri: string,
  error: Error & { code: number },
): Promise<Error> {
  const uris = (await client.listResources(undefined, request)).resources.map((resource) => resource.uri);
  const templates = (await client.listResourceTemplates(undefined, request)).resourceTemplates;
  const patterns = templates.map(({ uriTemplate }) => uriTemplate);
  const suggestion = suggest(uri, [...uris, ...patterns]);
  return protocolError('SIGIL_CLI_RESOURCE_UNKNOWN', { uri, reason: error.message, code: error.code, suggestion });
}

/**
 * Sets the log level of a server: at once if the session stores it, or else with each request.
 * @returns the parameters of the request that set it; empty if the session stores it
 */
export async function withLogLevel(
  { client, official, request }: CommandSession,
  level: LoggingLevel,
): Promise<{ _meta?: Record<string, unknown> }> {
  // A server without a handshake stores nothing between requests.
  if (client.getDiscoverResult() !== undefined) return { _meta: { [official.LOG_LEVEL_META_KEY]: level } };
  if (client.getServerCapabilities()?.logging) await client.setLoggingLevel(level, request);
  return {};
}
