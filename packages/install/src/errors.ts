/** The errors of `sigil install`, by code. */
import { defineErrors, type CatalogueEntries, type CatalogueGroup } from '@sigil-mcp/base';
import { failuresOf } from '@sigil-mcp/cli/kit';

const INSTALL_ERRORS = {
  SIGIL_INSTALL_CLIENT: {
    problem: 'sigil install needs an application.',
    fix: 'Name one of {clients}. sigil install --list shows which of them are on this machine.',
  },
  SIGIL_INSTALL_TARGET: {
    problem: '"{target}" is no server that an application can start or call.',
    fix: 'Name the folder of a project, a compiled file, a URL with http:// or https://, or a command after --.',
  },
  SIGIL_INSTALL_NOT_BUILT: {
    problem: 'There is no {file}: the server is not compiled.',
    fix: 'Run npm run build first, or add --dev to start it with sigil dev.',
  },
  SIGIL_INSTALL_HTTP_ONLY: {
    problem: 'The server in {folder} serves HTTP only, so an application cannot start it.',
    fix: 'Name its address: sigil install {client} http://127.0.0.1:3000/mcp',
  },
  SIGIL_INSTALL_NAME: {
    problem: '{name} cannot be the name of a server: applications accept letters, digits, "-" and "_", up to 64.',
    fix: 'Use --name {proposal}, for example.',
  },
  SIGIL_INSTALL_SCOPE: {
    problem: '{client} has no settings for a {scope}.',
    fix: 'Leave --{scope} out.',
  },
  SIGIL_INSTALL_SYSTEM: {
    problem: '{client} is not available on this system ({platform}).',
    fix: 'Choose another application: sigil install --list shows what is on this machine.',
  },
  SIGIL_INSTALL_NO_ADDRESS: {
    problem: 'The settings of {client} hold programs only, and no URLs.',
    fix: 'Add the URL in the application, under Settings, Connectors, or install a server over stdio.',
  },
  SIGIL_INSTALL_NO_TOKEN: {
    problem: 'The settings of {client} cannot name a variable of the environment with a token.',
    fix: 'Leave --token-env out, and sign in with the browser or set the header in the application.',
  },
  SIGIL_INSTALL_VALUES: {
    problem: 'The server needs values for {names}, which .env.example lists.',
    fix: 'Pass each with --env NAME=value, or with --env NAME to take it from the environment. At a terminal without --yes, sigil asks.',
  },
  SIGIL_INSTALL_SECRET: {
    problem: 'The value of {names} is secret, and {file} belongs to the project, so it may be committed.',
    fix: 'Leave --project out: the settings of the user are for you alone.',
  },
  SIGIL_INSTALL_UNASKED: {
    problem: 'sigil install asks before it changes {file}, and there is no terminal to ask at.',
    fix: 'Look at the change with --dry-run, then add --yes.',
  },
  SIGIL_INSTALL_STOPPED: { problem: 'Stopped.', fix: 'Nothing was changed.' },
  SIGIL_INSTALL_BROKEN: {
    problem: '{file}:{line} is not valid: {reason}.',
    fix: 'Fix that line first. Nothing was changed.',
  },
  SIGIL_INSTALL_FOREIGN: {
    problem: '{file} is no settings file as expected: {member} is not {expected}.',
    fix: 'Look at the file, and move it away if it is not what the application reads. Nothing was changed.',
  },
  SIGIL_INSTALL_BY_HAND: {
    problem: '{file} is written in a way that cannot be changed without touching its other lines.',
    fix: 'Change it by hand: --dry-run with another application shows the values. Nothing was changed.',
  },
  SIGIL_INSTALL_UNREADABLE: {
    problem: '{file} cannot be read: {reason}.',
    fix: 'Fix that first. Nothing was changed.',
  },
  SIGIL_INSTALL_UNWRITABLE: {
    problem: '{file} cannot be written: {reason}.',
    fix: 'Fix that first. Nothing was changed.',
  },
  SIGIL_INSTALL_CHANGED: {
    problem: '{file} has changed while you decided.',
    fix: 'Run the command again to see the new change. Nothing was changed.',
  },
  SIGIL_INSTALL_LOCKED: {
    problem: 'Another sigil changes {file}: process {pid} of {host}.',
    fix: 'Wait until it has finished, or end it. The lock of a process that has ended is taken over.',
  },
  SIGIL_INSTALL_ABSENT: {
    problem: '{client} has no server {name} in {file}.',
    fix: 'It has {names}. Name one of them with --name.',
  },
} as const satisfies CatalogueEntries;

/** Make the failure of a code. */
export const { failure, wrongUsage, endedBySignal } = failuresOf(defineErrors(INSTALL_ERRORS));

/** The section of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  { title: 'sigil install', about: 'Ends the command before a file is changed.', errors: INSTALL_ERRORS },
];
