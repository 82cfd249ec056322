/** Errors that end the commands for projects: `sigil new`, `add`, `dev`, `doctor`, and all that compile a project. */
import type { CatalogueEntries } from '@sigil-mcp/base';

const OTHER_NAME = 'Choose another name; nothing was changed.';

/** Errors of a project on disk. */
export const PROJECT_ERRORS = {
  SIGIL_PROJECT_MANIFEST: {
    problem: 'There is no package.json in {folder} or in a folder above it.',
    fix: 'Go to the folder of a server.',
  },
  SIGIL_PROJECT_NOT_INSTALLED: {
    problem: 'The dependencies in {folder} are not installed.',
    fix: 'Run npm install there first (or that of pnpm, yarn or bun).',
  },
  SIGIL_PROJECT_FILE: { problem: '{file} cannot be read: {reason}.', fix: 'Fix the file first.' },
  SIGIL_PROJECT_SERVER: {
    problem: 'There is no server in {folder}: no {candidates}.',
    fix: 'Go to the folder of a server, or name a target: a file, a URL, or a command after --.',
  },
  SIGIL_PROJECT_COMPILER: {
    problem: 'The project in {folder} has no TypeScript.',
    fix: 'Install it there with npm install --save-dev typescript, or name a compiled file.',
  },
  SIGIL_PROJECT_COMPILER_API: {
    problem: 'The TypeScript in {folder} has no compiler API.',
    fix: 'Install one that has, with npm install --save-dev typescript@6, or name a compiled file.',
  },
  SIGIL_PROJECT_ERRORS: {
    problem: 'The project in {folder} does not compile.',
    fix: 'Fix {count} from the compiler:\n\n{errors}\n',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil build`. */
export const BUILD_ERRORS = {
  SIGIL_BUILD_FILE: {
    problem: 'There is no file {file}.',
    fix: 'Name the file that starts the server, such as src/main.ts.',
  },
  SIGIL_BUILD_FAILED: {
    problem: 'The server cannot be bundled.',
    fix: 'Fix the errors of the bundler, or exclude a package with --external:\n\n{errors}\n',
  },
  SIGIL_BUILD_NATIVE: {
    problem: '{file} is a native addon, which cannot be part of a JavaScript bundle.',
    fix: 'Put it into a package, and install that package where the server runs: packages with native addons are left out of the bundle.',
  },
  SIGIL_BUILD_TWICE: {
    problem:
      '{name} would be in the bundle twice, from {places}. Metadata that decorators write to one copy is invisible to the other.',
    fix: 'Install a single version. npm ls {name} shows which packages depend on it.',
  },
  SIGIL_BUILD_CODE_CACHE: {
    problem: 'The bundle was loaded once, to store its code, and failed.',
    fix: 'Set the variables that it needs, or leave out --code-cache. It printed:\n\n{reason}\n',
  },
  SIGIL_BUILD_REGISTRY_DATA: {
    problem: 'The bundle was loaded once, to store the schemas of its classes, and failed. It is written without them.',
    fix: 'Set the variables that it needs, or leave out --registry-data. It printed: {reason}',
  },
  SIGIL_BUILD_CACHE_TARGET: {
    problem: '--code-cache is for CommonJS bundles, for Node and for Lambda.',
    fix: 'Choose a file that ends with .cjs, or leave out --code-cache. ES modules on Node 22 can use NODE_COMPILE_CACHE.',
  },
  SIGIL_CODE_CACHE_STALE: {
    problem: 'V8 compiles the bundle again, because the stored code does not fit: {reason}.',
    fix: 'Run sigil build with the version of Node that runs the bundle, and deploy its files together.',
  },
  SIGIL_FILE_OUTSIDE: {
    problem: '{file} cannot be written: {link} is a link that leads out of {folder}.',
    fix: 'Look at what the link leads to, and remove it if you do not know it. Nothing was changed.',
  },
  SIGIL_BUILD_OUTSIDE: {
    problem: '{file}, which the program names, is a link that leads out of {folder}.',
    fix: 'Name what it leads to in the program, if that is a part of it, or remove the link. Nothing was written.',
  },
  SIGIL_BUILD_WRITE: {
    problem: '{file} cannot be written: {reason}.',
    fix: 'Choose another file with --out. The previous file was not changed.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil dev`: its port, its compiler, and the servers that it starts. */
export const DEV_ERRORS = {
  SIGIL_DEV_FILE: {
    problem: 'There is no file {file}.',
    fix: 'Name the file that starts the server, such as src/main.ts.',
  },
  SIGIL_DEV_SETTINGS: {
    problem: 'There is no tsconfig.json for {file}.',
    fix: 'Create one with "outDir", "experimentalDecorators" and "emitDecoratorMetadata". A project made by sigil new has an example.',
  },
  SIGIL_DEV_NOT_INCLUDED: {
    problem: '{settings} does not include {file}.',
    fix: 'Add it to "include", or name another entry file.',
  },
  SIGIL_DEV_NO_OUTPUT: {
    problem: '{settings} produces no JavaScript for {file}.',
    fix: 'Remove "emitDeclarationOnly" from it.',
  },
  SIGIL_DEV_PORT: {
    problem: 'Port {port} cannot be used: {reason}.',
    fix: 'Choose another one, such as --port {free}.',
  },
  SIGIL_DEV_ISSUER: {
    problem: '{file} does not open an authorization server: {reason}.',
    fix: 'Export openIssuer(resource), as a project of sigil new --tokens does, or set ISSUER.',
  },
  SIGIL_DEV_CLOSED: { problem: 'sigil dev has ended.', fix: 'Start it again.' },
  SIGIL_DEV_ENDED: { problem: 'The server ended {how}.', fix: 'Look for the reason in its output on stderr.' },
  SIGIL_DEV_SILENT: {
    problem: 'The server did not answer within {seconds} s.',
    fix: 'Read messages first, and start long work afterwards.',
  },
  SIGIL_DEV_SESSION: {
    problem: 'The server refused the session: {reason}',
    fix: 'Accept what the previous version accepted, or connect the client again.',
  },
  SIGIL_DEV_NOT_HTTP: {
    problem: 'The server ended {how} before it listened on PORT.',
    fix: 'With --http the server must use HTTP, as new HttpTransport() does. For a server on stdin and stdout, leave --http out.',
  },
  SIGIL_DEV_OTHER_PORT: {
    problem: 'The server does not listen on the PORT of its environment ({port}).',
    fix: 'Do not set the port in the code: use the PORT variable.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil copy`. */
export const COPY_ERRORS = {
  SIGIL_COPY_SETTINGS: {
    problem: 'There is no {file}.',
    fix: 'Go to the folder of a project, or name the settings of its compiler with --project.',
  },
  SIGIL_COPY_FAILED: {
    problem: 'The files next to the sources cannot be copied: {reason}.',
    fix: 'Fix that and try again.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil add`. */
export const ADD_ERRORS = {
  SIGIL_ADD_NAMELESS: {
    problem: 'sigil add {kind} needs a name.',
    fix: 'Write one, such as: sigil add {kind} {example}',
  },
  SIGIL_ADD_STOPPED: { problem: 'Stopped.', fix: 'Nothing was written.' },
  SIGIL_ADD_SERVER: {
    problem: 'There is no createServer(...) in {folder}.',
    fix: 'Go to the folder of a server, or make one with sigil new.',
  },
  SIGIL_ADD_SERVERS: {
    problem: 'The project creates several servers: in {files}.',
    fix: 'Add the class by hand: sigil add supports one server per project.',
  },
  SIGIL_ADD_METHOD_NAME: {
    problem: '"{name}" cannot be used as a method name.',
    fix: 'Use "{proposal}", for example.',
  },
  SIGIL_ADD_CLASS_NAME: {
    problem: '"{name}" cannot be used as a class name.',
    fix: 'Use a word like "tasks" or "userNotes".',
  },
  SIGIL_ADD_SKILL_NAME: {
    problem: '"{name}" cannot be used as the name of a skill.',
    fix: 'Use up to 64 lowercase letters, digits and single hyphens, such as "place-an-order".',
  },
  SIGIL_ADD_NO_FEATURE: { problem: 'The project has no feature yet.', fix: 'Create one: sigil add feature <name>.' },
  SIGIL_ADD_FEATURES: { problem: 'There are several features: {features}.', fix: 'Choose with --feature {first}.' },
  SIGIL_ADD_FEATURE_UNKNOWN: {
    problem: 'No single feature is called {name}.',
    fix: 'Choose one of these: {features}.',
  },
  SIGIL_ADD_METHOD_TAKEN: { problem: '{owner} already has {name} ({place}).', fix: OTHER_NAME },
  SIGIL_ADD_CLASS_TAKEN: { problem: '{name} already exists ({place}).', fix: OTHER_NAME },
  SIGIL_ADD_FILE_TAKEN: { problem: '{file} already exists.', fix: OTHER_NAME },
  SIGIL_ADD_NAME_TAKEN: {
    problem: 'The name {name} is already used for something else in {file}.',
    fix: 'Rename it, or choose another name. Nothing was changed.',
  },
  SIGIL_ADD_NO_LIST: {
    problem: 'createServer in {file} has no features: [...] list to add the class to.',
    fix: 'Add the list, or add the class by hand. Nothing was changed.',
  },
  SIGIL_ADD_NO_OPTIONS: {
    problem: 'createServer in {file} has no options { ... } with a list of {list} that {call} could be added to.',
    fix: 'Add it by hand: {list}: [{call}]. Nothing was changed.',
  },
  SIGIL_ADD_NOT_EXPORTED: {
    problem: 'The server in {file} is not exported, so a test cannot import it.',
    fix: 'Write it as: export const server = createServer({ ... }), in a file that does not listen.',
  },
  SIGIL_ADD_SYNTAX: {
    problem: '{place} has a syntax error: {reason}.',
    fix: 'Fix it and try again. Nothing was changed.',
  },
  SIGIL_ADD_UNWRITABLE: {
    problem: 'The files cannot be written: {reason}.',
    fix: 'Fix that and try again. Nothing was changed.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil new`. */
export const NEW_ERRORS = {
  SIGIL_NEW_NAME: {
    problem: 'npm does not accept the name "{name}", because {reason}.',
    fix: 'Use "{proposal}", for example.',
  },
  SIGIL_NEW_NOT_EMPTY: {
    problem: 'The folder {folder} is not empty: it has {found}.',
    fix: 'Choose another name, or empty the folder first. Nothing was changed.',
  },
  SIGIL_NEW_NO_FOLDER: { problem: '{folder} {reason}.', fix: OTHER_NAME },
  SIGIL_NEW_UNWRITABLE: {
    problem: '{folder} cannot be written ({reason}).',
    fix: 'Choose a folder that you can write to. Nothing was left behind.',
  },
  SIGIL_NEW_TOKENS: {
    problem: 'stdio has no tokens: the user who starts the server has all rights.',
    fix: 'Leave --tokens out, or add --transport http or both.',
  },
  SIGIL_NEW_STOPPED: { problem: 'Stopped.', fix: 'Nothing was written.' },
  SIGIL_NEW_PACKAGES: {
    problem: 'The folder {folder} does not contain {files}.',
    fix: 'Fill it with npm pack, run in each package of Sigil {version}.',
  },
  SIGIL_NEW_PACKAGES_FOLDER: {
    problem: 'The folder {folder} cannot be read.',
    fix: 'Pass the folder that npm pack filled to --packages.',
  },
  SIGIL_NEW_INSTALLATION_STOPPED: {
    problem: '{name} is written, but the installation was stopped.',
    fix: 'Finish it with: {command}',
  },
  SIGIL_NEW_NOT_INSTALLED: {
    problem: '{name} is written, but its packages are not installed: {reason}.',
    fix: 'Finish it with: {command}',
  },
  SIGIL_NEW_NO_SIGIL: {
    problem: 'The registry does not have the packages of Sigil, so {name} was not created.',
    fix: 'Before the first release, create it in a clone of https://github.com/sigil-mcp/sigil, with your other options: npm run new -- {folder}',
  },
  SIGIL_NEW_BUILD_STOPPED: {
    problem: '{name} is installed, but compiling it was stopped.',
    fix: 'Finish it with: {command}',
  },
  SIGIL_NEW_NOT_BUILT: {
    problem: '{name} is installed, but does not compile: {reason}.',
    fix: 'See the errors with: {command}',
  },
  SIGIL_NEW_TEMPLATE: {
    problem: 'A template uses {name}, which has no value.',
    fix: 'This is a bug in Sigil. Please report it.',
  },
} as const satisfies CatalogueEntries;
