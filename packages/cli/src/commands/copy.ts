/** `sigil copy`: the files next to the sources follow what is compiled. */
import type { RegisterCommand } from '../command-packages/command-package';
import { copyFiles } from '../files/copy-files';
import { findSourceFolders } from '../files/output-folder';
import { describeLeft } from '../files/program-files';
import { findProject, shownPath } from '../project/find-project';

const COPY_EXAMPLES = `
Example, in package.json:
  "build": "tsc && sigil copy"

The compiler writes only what it compiles. Skills, views and other files that lie next to the sources have to follow it,
so that a program finds them in dist as in src. sigil dev, sigil build and tests need no copies.`;

/** `sigil copy`, in the folder of a project. */
export const registerCopy: RegisterCommand = (program, shell) => {
  program
    .command('copy')
    .summary('copy skills, views and other files next to the sources to the compiled program')
    .description('Copies the files next to the sources to the output of the compiler.')
    .option('-p, --project <file>', 'the settings of the compiler', 'tsconfig.json')
    .addHelpText('after', COPY_EXAMPLES)
    .action(({ project }: { readonly project: string }) => {
      const { folder } = findProject(shell.cwd);
      const folders = findSourceFolders(folder, project);
      const { copied, left } = copyFiles(folders);
      const to = shownPath(folder, folders.output);
      const done = copied.length === 0 ? [] : [`Copied to ${to}: ${copied.join(', ')}`];
      const lines = [...done, ...describeLeft(left)];
      if (lines.length > 0) shell.print(lines.join('\n'));
    });
};
