/** `sigil completion`: the script that completes command lines, and what it calls. */
import { Argument } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RegisterCommand } from '../command-packages/command-package';
import { fillCommand } from '../command-packages/open-command';
import { OWN_PLACE } from '../project/find-project';
import { candidates } from '../completion/candidates';
import { templatesOfCli } from '../version';

const COMPLETION_EXAMPLES = `
Examples:
  sigil completion bash >> ~/.bashrc
  sigil completion zsh > ~/.zsh/completions/_sigil      (a folder of $fpath)
  sigil completion fish > ~/.config/fish/completions/sigil.fish
  sigil completion powershell >> $PROFILE

It completes commands, options and their values. For sigil call it completes the tools of the project in the current
folder and their arguments, after sigil inspect or sigil call has listed them once.`;

/** `sigil completion <shell>`, and the command that its script calls, which is not listed. */
export const registerCompletion: RegisterCommand = (program, shell) => {
  program
    .command('completion')
    .description('print a script that completes command lines in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .addHelpText('after', COMPLETION_EXAMPLES)
    .action((name: string) => {
      const script = join(templatesOfCli(), 'completion', `${name}.template`);
      shell.printData(readFileSync(script, 'utf8'));
    });
  program
    .command('complete', { hidden: true })
    .description('print the words that fit at the end of a command line')
    .argument('[words...]')
    .action((words: readonly string[]) => {
      fillCommand(program, shell, { words, from: [OWN_PLACE] });
      const found = candidates(program, words, shell.cwd);
      if (found.length > 0) shell.printData(found.join('\n'));
    });
};
