/** `sigil new`: creates a server in a new folder. */
import { Option } from 'commander';
import type { RegisterCommand } from '../command-packages/command-package';
import { PACKAGE_MANAGERS } from '../scaffold/installers';

import { newProject } from '../scaffold/new-project';
import { TEMPLATES, TRANSPORTS, type NewOptions } from '../scaffold/project-choices';

/** `sigil new [folder]`; on a terminal it asks for the options that are not given. */
export const registerNew: RegisterCommand = (program, shell) => {
  program
    .command('new')
    .description('create a server in a new folder')
    .argument('[folder]', 'its folder, whose name is the name of the server (default: my-server)')
    .addOption(new Option('-t, --transport <transport>', 'how clients connect').choices(TRANSPORTS))
    .addOption(new Option('--template <template>', 'what is in it (default: tools)').choices(TEMPLATES))
    .addOption(
      new Option('-p, --package-manager <name>', 'default: the one that runs this command').choices(PACKAGE_MANAGERS),
    )
    .option('--tokens', 'callers over HTTP need a token')
    .option('--no-tokens', 'callers need no token (default)')
    .option('--esm', 'write ES modules ("type": "module")')
    .option('--no-esm', 'write CommonJS (default)')
    .option('--git', 'make it a git repository (default)')
    .option('--no-git', 'do not make it a git repository')
    .option('--no-install', 'do not install or compile anything')
    .option('-y, --yes', 'use the defaults without asking')
    .option('--packages <folder>', 'install the packages of Sigil from tarballs (npm pack) in a folder')
    .action((folder: string | undefined, options: NewOptions) => newProject(shell, folder, options));
};
