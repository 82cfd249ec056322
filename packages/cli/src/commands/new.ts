/** `sigil new`: a server in a new folder. */
import { Option } from 'commander';
import { newProject } from '../scaffold/new-project';
import type { NewOptions } from '../scaffold/new-options';
import { PACKAGE_MANAGERS } from '../scaffold/installers';
import { TRANSPORTS } from '../scaffold/project-choices';
import type { RegisterCommand } from './command';

/** `sigil new [folder]`; on a terminal it asks for what no flag says. */
export const registerNew: RegisterCommand = (program) => {
  program
    .command('new')
    .description('make a server in a new folder')
    .argument('[folder]', 'where, and what it is called (default: my-server)')
    .addOption(new Option('-t, --transport <transport>', 'how clients reach it').choices(TRANSPORTS))
    .addOption(new Option('-p, --package-manager <name>', 'default: the one that runs this').choices(PACKAGE_MANAGERS))
    .option('--tokens', 'callers over HTTP need a token')
    .option('--no-tokens', 'everybody may call (default)')
    .option('--esm', 'write ES modules ("type": "module")')
    .option('--no-esm', 'write CommonJS (default)')
    .option('--git', 'make it a git repository (default)')
    .option('--no-git', 'make it no git repository')
    .option('--no-install', 'install and compile nothing')
    .option('-y, --yes', 'ask nothing, take the defaults')
    .option('--packages <folder>', 'take the packages of Sigil from tarballs (npm pack) in a folder')
    .action((folder: string | undefined, options: NewOptions) => newProject(folder, options));
};
