/** A command of the command line; each has its own file in this folder. */
import type { Command as Program } from 'commander';
import type { Shell } from '../terminal/shell';

/** Adds a command, its arguments and its options. `run-cli.ts` shows the errors that its action throws. */
export type RegisterCommand = (program: Program, shell: Shell) => void;
