/** What ends the commands that work on a project: `sigil new`, `add`, `dev`, `doctor`, and whatever compiles one. */
import type { CatalogueEntries } from './catalogue-entry';

const OTHER_NAME = 'Choose another name; nothing was changed.';

/** Of a project as it is on disk. */
export const PROJECT_ERRORS = {
  SIGIL_PROJECT_MANIFEST: {
    what: 'There is no package.json in {folder} or above.',
    mend: 'Go to the folder of a server.',
  },
  SIGIL_PROJECT_NOT_INSTALLED: {
    what: 'Nothing is installed in {folder}.',
    mend: 'Run npm install (or pnpm, or yarn) there first.',
  },
  SIGIL_PROJECT_FILE: { what: '{file} cannot be read: {reason}.', mend: 'Mend it first.' },
  SIGIL_PROJECT_SERVER: {
    what: 'There is no server in {folder}: no {candidates}.',
    mend: 'Go to the folder of one, or say what to connect to: a file, a URL, or a command after --.',
  },
  SIGIL_PROJECT_COMPILER: {
    what: 'The project in {folder} has no TypeScript.',
    mend: 'Install it there with npm install --save-dev typescript, or name a compiled file.',
  },
  SIGIL_PROJECT_COMPILER_API: {
    what: 'The TypeScript in {folder} has no compiler API.',
    mend: 'Install one that has, with npm install --save-dev typescript@6, or name a compiled file.',
  },
  SIGIL_PROJECT_ERRORS: {
    what: 'The project in {folder} does not compile.',
    mend: 'Mend {count} the compiler says:\n\n{errors}\n',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil doctor --dtos`. */
export const DTOS_ERRORS = {
  SIGIL_DTOS_NO_FILES: {
    what: 'There is no TypeScript file {pattern} in {folder}.',
    mend: "Name files with a pattern in quotes, as in --dtos 'src/**/*.dto.ts', or name a folder.",
  },
  SIGIL_DTOS_NO_CORE: {
    what: 'The project in {folder} has no @sigil-mcp/core, by which its classes are examined.',
    mend: 'Install it there first: npm install @sigil-mcp/core reflect-metadata class-validator class-transformer.',
  },
  SIGIL_DTOS_FILE_ENDS: {
    what: 'It ends the process with {status}.',
    mend: 'Name files that only declare classes.',
  },
  SIGIL_DTOS_NOT_LOADED: {
    what: 'The classes of {folder} could not be loaded: one of their files ended the process.',
    mend: 'Name fewer files: those that only declare classes.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil build`. */
export const BUILD_ERRORS = {
  SIGIL_BUILD_FILE: {
    what: 'There is no file {file}.',
    mend: 'Name the file that starts the server, such as src/main.ts.',
  },
  SIGIL_BUILD_FAILED: {
    what: 'No bundle can be made of the server.',
    mend: 'Mend what the bundler says, or leave a package outside with --external:\n\n{errors}\n',
  },
  SIGIL_BUILD_NATIVE: {
    what: '{file} is a native addon, which no JavaScript file can hold.',
    mend: 'Make a package of it, and install that where the server runs: packages with native addons stay outside of the bundle.',
  },
  SIGIL_BUILD_TWICE: {
    what: '{name} would be in the bundle twice, from {places}: what decorators write to one copy, the other does not see.',
    mend: 'Install one version of it for all; npm ls {name} shows who asks for which.',
  },
  SIGIL_BUILD_WRITE: {
    what: '{file} cannot be written: {reason}.',
    mend: 'Name another file with --out; what was there before was not changed.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil dev`: its port, its compiler, and the servers that it starts. */
export const DEV_ERRORS = {
  SIGIL_DEV_FILE: {
    what: 'There is no file {file}.',
    mend: 'Name the file that starts the server, such as src/main.ts.',
  },
  SIGIL_DEV_SETTINGS: {
    what: 'There is no tsconfig.json for {file}.',
    mend: 'Write one with "outDir", "experimentalDecorators" and "emitDecoratorMetadata"; sigil new shows how.',
  },
  SIGIL_DEV_NOT_INCLUDED: {
    what: '{settings} does not include {file}.',
    mend: 'Add it to "include", or name another entry file.',
  },
  SIGIL_DEV_NO_OUTPUT: {
    what: '{settings} makes no program of {file}.',
    mend: 'Take "emitDeclarationOnly" out of it.',
  },
  SIGIL_DEV_PORT: { what: 'Port {port} cannot be used: {reason}.', mend: 'Choose another one with --port.' },
  SIGIL_DEV_CLOSED: { what: 'sigil dev has ended.', mend: 'Start it again.' },
  SIGIL_DEV_ENDED: { what: 'It ended {how}.', mend: 'Look for the reason in what it wrote to stderr.' },
  SIGIL_DEV_SILENT: {
    what: 'It did not answer within {seconds} s.',
    mend: 'Let it read its messages before it does anything that takes long.',
  },
  SIGIL_DEV_SESSION: {
    what: 'It refused the session: {reason}',
    mend: 'Let it take what the server before it took, or connect the client again.',
  },
  SIGIL_DEV_NOT_HTTP: {
    what: 'It ended {how} before it listened on PORT.',
    mend: 'With --http it serves HTTP, as new HttpTransport() does; leave --http out for one on stdin and stdout.',
  },
  SIGIL_DEV_OTHER_PORT: {
    what: 'It does not listen on the PORT of its environment ({port}).',
    mend: 'Leave the port to it.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil add`. */
export const ADD_ERRORS = {
  SIGIL_ADD_SERVER: {
    what: 'There is no createServer(...) in {folder}.',
    mend: 'Go to the folder of a server, or make one with sigil new.',
  },
  SIGIL_ADD_SERVERS: {
    what: 'The project makes several servers: in {files}.',
    mend: 'Add the class by hand: sigil add knows what to do with one.',
  },
  SIGIL_ADD_METHOD_NAME: { what: '"{name}" cannot be the name of a method.', mend: 'Take "{proposal}", for example.' },
  SIGIL_ADD_CLASS_NAME: {
    what: '"{name}" cannot be the name of a class.',
    mend: 'Take a word like "tasks" or "userNotes".',
  },
  SIGIL_ADD_NO_FEATURE: { what: 'The project has no feature yet.', mend: 'Make one: sigil add feature <name>.' },
  SIGIL_ADD_FEATURES: { what: 'There are several features: {features}.', mend: 'Choose with --feature {first}.' },
  SIGIL_ADD_FEATURE_UNKNOWN: { what: 'No one feature is called {name}.', mend: 'Choose one of these: {features}.' },
  SIGIL_ADD_METHOD_TAKEN: { what: '{owner} has {name} already ({place}).', mend: OTHER_NAME },
  SIGIL_ADD_CLASS_TAKEN: { what: 'There is a {name} already ({place}).', mend: OTHER_NAME },
  SIGIL_ADD_FILE_TAKEN: { what: '{file} is there already.', mend: OTHER_NAME },
  SIGIL_ADD_NAME_TAKEN: {
    what: 'The name {name} means something else in {file} already.',
    mend: 'Rename that, or choose another name; nothing was changed.',
  },
  SIGIL_ADD_NO_LIST: {
    what: 'createServer in {file} has no list features: [...] to add the class to.',
    mend: 'Write the list there, or add the class by hand; nothing was changed.',
  },
  SIGIL_ADD_NOT_EXPORTED: {
    what: 'The server in {file} is not exported, so no test can import it.',
    mend: 'Write it as: export const server = createServer({ ... }), in a file that does not listen.',
  },
  SIGIL_ADD_SYNTAX: {
    what: '{place} does not parse: {reason}.',
    mend: 'Mend it first, then try again; nothing was changed.',
  },
  SIGIL_ADD_UNWRITABLE: {
    what: 'The files cannot be written: {reason}.',
    mend: 'Mend that and try again: everything is as it was before.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil new`. */
export const NEW_ERRORS = {
  SIGIL_NEW_NAME: { what: 'npm refuses the name "{name}", because {reason}.', mend: 'Take "{proposal}", for example.' },
  SIGIL_NEW_NOT_EMPTY: {
    what: 'The folder {folder} is not empty: it has {found}.',
    mend: 'Choose another name, or empty it first; nothing was changed.',
  },
  SIGIL_NEW_NO_FOLDER: { what: '{folder} {reason}.', mend: OTHER_NAME },
  SIGIL_NEW_UNWRITABLE: {
    what: '{folder} cannot be written ({reason}).',
    mend: 'Choose a folder that you may write to; nothing was left behind.',
  },
  SIGIL_NEW_TOKENS: {
    what: 'Over stdio there are no tokens: whoever starts the server may do everything.',
    mend: 'Leave --tokens out, or add --transport http or both.',
  },
  SIGIL_NEW_STOPPED: { what: 'Stopped.', mend: 'Nothing was written.' },
  SIGIL_NEW_PACKAGES: {
    what: 'The folder {folder} has no {files}.',
    mend: 'Fill it with npm pack, run in each package of Sigil {version}.',
  },
  SIGIL_NEW_PACKAGES_FOLDER: {
    what: 'The folder {folder} cannot be read.',
    mend: 'Give --packages the folder that npm pack filled.',
  },
  SIGIL_NEW_INSTALLATION_STOPPED: {
    what: '{name} is written, but the installation was stopped.',
    mend: 'Finish it with: {command}',
  },
  SIGIL_NEW_NOT_INSTALLED: {
    what: '{name} is written, but its packages are not installed: {reason}.',
    mend: 'Finish it with: {command}',
  },
  SIGIL_NEW_NO_SIGIL: {
    what: '{name} is written, but its packages are not installed: {reason}.',
    mend: 'Remove the folder {folder} and run this again with --packages and a folder of packed packages.',
  },
  SIGIL_NEW_BUILD_STOPPED: {
    what: '{name} is installed, but compiling it was stopped.',
    mend: 'Finish it with: {command}',
  },
  SIGIL_NEW_NOT_BUILT: {
    what: '{name} is installed, but does not compile: {reason}.',
    mend: 'See what is wrong with: {command}',
  },
  SIGIL_NEW_TEMPLATE: {
    what: 'A template names {name}, which has no value.',
    mend: 'Report it to the project: it is a mistake of Sigil.',
  },
} as const satisfies CatalogueEntries;
