/** `sigil inspect`: what a model will see of a server. */
import type { Command as Program } from 'commander';
import { describeServer } from '../inspect/describe-server';
import { survey } from '../inspect/survey';
import { print, printJson } from '../results/print-result';
import { readTarget } from '../targets/read-target';
import { withServer } from '../targets/session';
import { stylesFor } from '../terminal/styles';
import { withSessionOptions, type ParsedSessionOptions } from './session-options';

interface InspectOptions extends ParsedSessionOptions {
  readonly json: boolean;
}

/** Where a line ends that nobody sees the width of. */
const PLAIN_WIDTH = 100;
const WIDEST = 140;

/** Adds the command. */
export function registerInspect(program: Program): void {
  const command = program
    .command('inspect')
    .summary('show what a model will see of a server')
    .description(
      'Shows what a model will see of a server: its tools, resources and prompts. The target is a URL, a file, or a command ' +
        'after --; without one, the project in the current folder.',
    )
    .argument('[target...]', 'such as src/main.ts, http://127.0.0.1:3000/mcp or -- npx some-server')
    .option('--json', 'print everything as JSON', false);
  withSessionOptions(command).action(async (words: string[], options: InspectOptions) => {
    await inspect(words, options);
  });
}

async function inspect(target: readonly string[], options: InspectOptions): Promise<void> {
  const seen = await withServer(readTarget(target), options, survey);
  if (options.json) return printJson(seen);
  const width = process.stdout.isTTY ? Math.min(process.stdout.columns || PLAIN_WIDTH, WIDEST) : PLAIN_WIDTH;
  print(describeServer(seen, { width, styles: stylesFor(process.stdout) }).join('\n'));
}
