/** `sigil replay`: runs recorded calls against a server, and names those that would fail or be answered otherwise. */
import type { Command as Program } from 'commander';
import { FAILED, SUCCESS } from '../exit-status';
import { wrongUsage } from '../failure';
import { readRecordedFile } from '../replay/recorded-file';
import { replayCalls, type ReplayedCall } from '../replay/replay-calls';
import { isFailure, replayReport } from '../replay/replay-report';
import { withServer } from '../session/session';
import { sessionOptions, typedTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';

interface ReplayCommandOptions extends ParsedSessionOptions {
  readonly all: boolean;
  readonly strict: boolean;
  readonly json: boolean;
}

const EXAMPLES = `
Examples:
  sigil dev --record calls.jsonl             record what your clients do
  sigil replay calls.jsonl                   run it against the project in this folder
  sigil replay calls.jsonl https://staging.example.com/mcp --token "$TOKEN"

Resources, prompts and read-only tools run. Other tools do not, unless --all is given: their arguments are checked by their schemas.
The exit status is 1 if a call would fail, or if a result would lack a member or have another type.`;

/** Adds the command. */
export function registerReplay(program: Program, shell: Shell): void {
  const command = program
    .command('replay')
    .summary('run recorded calls against a server')
    .description(
      'Runs calls that sigil dev --record, or recordCalls() in production, has written, and names those that would fail or be answered ' +
        'otherwise. The target is a URL, a file, or a command after --; without one, the project in this folder.',
    )
    .argument('<file>', 'the recorded calls, one JSON object a line')
    .argument('[target...]', 'the server')
    .option('--all', 'run tools that are not read-only, too: they do again what they did', false)
    .option('--strict', 'fail also if a result has other values', false)
    .option('--json', 'print every call and its verdict as JSON', false)
    .addHelpText('after', EXAMPLES);
  withSessionOptions(command).action(async (file: string, words: string[], options: ReplayCommandOptions) => {
    const { calls, repeated } = await readRecordedFile(shell, file);
    if (calls.length === 0) throw wrongUsage('SIGIL_REPLAY_EMPTY', { file });
    const replayed = await withServer(typedTarget(shell, words, command), sessionOptions(shell, options), (session) =>
      replayCalls(session, calls, { runsAll: options.all }),
    );
    if (options.json) shell.printData(`${JSON.stringify({ calls: replayed.map(plain), repeated }, null, 2)}\n`);
    else shell.print(replayReport(replayed, repeated, shell.styles).join('\n'));
    shell.status = replayed.some(({ verdict }) => isFailure(verdict, options.strict)) ? FAILED : SUCCESS;
  });
}

function plain({ line, call, verdict, details }: ReplayedCall): object {
  const { method, entry, params, outcome } = call;
  return { line, method, entry, params, outcome, verdict, details };
}
