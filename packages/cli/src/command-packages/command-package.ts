/**
 * Commands with packages of their own. The command line knows their names for its help; everything else of them is in a package, which
 * is found by its name when such a command is typed, and never imported.
 */
import type { Command } from 'commander';
import type { Shell } from '../terminal/shell';

/** Adds a command, its arguments and its options. `run-cli.ts` shows the errors that its action throws. */
export type RegisterCommand = (program: Command, shell: Shell) => void;

/** Adds the description, the arguments, the options and the action of a command that is there already, with its name. */
export type FillCommand = (command: Command, shell: Shell) => void;

/** What a package of commands exports: the filling of each command, by its words after `sigil`. */
export interface CommandPackage {
  readonly commands: Readonly<Record<string, FillCommand>>;
}

/** A command of such a package, as the help of `sigil` lists it without the package. */
export interface OutsideCommand {
  readonly summary: string;
  /** The arguments, as the help shows them. */
  readonly usage: string;
  readonly package: string;
}

/** All of them, by their words after `sigil`. */
export const OUTSIDE_COMMANDS = {
  'add openapi': {
    summary: 'add tools for the operations of an OpenAPI document',
    usage: '[options] [document]',
    package: '@sigil-mcp/openapi',
  },
  install: {
    summary: 'put a server into an AI application',
    usage: '[options] [client] [target...]',
    package: '@sigil-mcp/install',
  },
  migrate: {
    summary: 'move a project from another framework',
    usage: '[options] <from> [folder]',
    package: '@sigil-mcp/migrate',
  },
  pack: {
    summary: 'make an MCPB bundle, which applications install with a click',
    usage: '[options] [entry]',
    package: '@sigil-mcp/publish',
  },
  publish: {
    summary: 'check a server before it is published, and write its server.json',
    usage: '[options]',
    package: '@sigil-mcp/publish',
  },
} as const satisfies Readonly<Record<string, OutsideCommand>>;

/** The words of one of them. */
export type OutsideName = keyof typeof OUTSIDE_COMMANDS;

/** Adds the name of a command; its package adds the rest. */
export function registerOutside(name: OutsideName): RegisterCommand {
  const { summary, usage } = OUTSIDE_COMMANDS[name];
  const [last = name] = name.split(' ').slice(-1);
  return (parent) => void parent.command(last).summary(summary).usage(usage);
}
