/** The commands, in the order in which `sigil --help` lists them. */
import type { RegisterCommand } from './command';

/** Every command. */
export const ALL_COMMANDS: readonly RegisterCommand[] = [];
