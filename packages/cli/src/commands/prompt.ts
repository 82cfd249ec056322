/** `sigil prompt`: shows the messages of a prompt. */
import type { Command as Program } from 'commander';
import { SchemaView } from '../arguments/json-schema';
import { suggest } from '../arguments/find-unsaid';
import { withStdin } from '../arguments/with-stdin';
import { wrongUsage } from '../failure';
import { readOrAsk } from '../questions/missing-arguments';
import { stdoutDestination } from '../results/print-result';
import { showContent } from '../results/show-content';
import type { GetPromptResult, Prompt } from '@sigil-mcp/protocol';
import { asSent, shownEntries } from '../session/as-sent';
import { withServer, type CommandSession } from '../session/session';
import { LOG_LEVEL_OPTION, setLogLevel, type ResultFlags } from './read';
import { sessionOptions, splitTarget, withSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';

/** Adds the command. */
export function registerPrompt(program: Program, shell: Shell): void {
  const command = program
    .command('prompt')
    .summary('show the messages of a prompt')
    .description(
      'Shows the messages of a prompt. The target is a URL, a file, a command in quotes, or a command after --; ' +
        'without one, the project in this folder.',
    )
    .usage('[options] [target] <name> [key=value...]')
    .argument('[words...]')
    .option('--json', 'print the whole result as JSON', false)
    .option('--output <folder>', 'the folder for images, audio and other files', '.')
    .addOption(LOG_LEVEL_OPTION);
  withSessionOptions(command).action(async (words: string[], options: ResultFlags) => {
    const { target, rest } = splitTarget(shell, words, command);
    const [name, ...given] = rest;
    if (name === undefined) {
      const usage = 'sigil prompt [target] <name> [key=value...]';
      throw wrongUsage('SIGIL_CLI_NOTHING_NAMED', { kind: 'prompt', verb: 'show', usage });
    }
    const texts = await withStdin(shell, given);
    const work = (session: CommandSession): Promise<GetPromptResult> => getPrompt(session, name, texts, options);
    printMessages(shell, await withServer(target, sessionOptions(shell, options), work), options);
  });
}

async function getPrompt(
  session: CommandSession,
  name: string,
  words: readonly string[],
  { logLevel }: ResultFlags,
): Promise<GetPromptResult> {
  const { client, request } = session;
  const prompts = client.server.capabilities.prompts ? shownEntries(await client.allPrompts(request)) : [];
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) {
    const names = prompts.map((one) => one.name);
    throw wrongUsage('SIGIL_CLI_ENTRY_UNKNOWN', { kind: 'prompt', name, suggestion: suggest(name, names) });
  }
  const args = await readOrAsk(words, { view: schemaOf(prompt), of: `The prompt ${name}`, ask: session.ask });
  const texts = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  await setLogLevel(session, logLevel);
  return client.request(asSent('prompts/get'), { name, arguments: Object.fromEntries(texts) as object }, request);
}

/** The arguments of prompts are always strings. */
function schemaOf({ arguments: given = [] }: Prompt): SchemaView {
  const properties = given.map(({ name, description }) => [name, { type: 'string', description }]);
  const required = given.filter((one) => one.required === true).map(({ name }) => name);
  return SchemaView.of({ type: 'object', properties: Object.fromEntries(properties) as object, required });
}

function printMessages(shell: Shell, result: GetPromptResult, { json, output }: ResultFlags): void {
  if (json) return shell.printJson(result);
  const destination = stdoutDestination(shell, output);
  const { bold } = destination.styles;
  const texts = result.messages.map(({ role, content }) => `${bold(`${role}:`)} ${showContent(content, destination)}`);
  for (const text of texts) shell.printData(text);
}
