/** A command of the command line: one file each beside this one. */
import type { Command as Program } from 'commander';

/** Adds a command, its arguments and its options. What its action throws is shown by `run-cli.ts`. */
export type RegisterCommand = (program: Program) => void;
