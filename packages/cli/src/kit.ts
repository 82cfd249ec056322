/**
 * The kit for packages of commands: what a command needs besides its own code. Such a package exports `commands` (CommandPackage), and the
 * command line finds it by its name. What the page of `sigil dev` needs besides is in `kit-dev.ts`.
 */
import { extendImport, moduleOf, valueBindings } from './add/add-imports';
import { inStyle } from './add/code-style';
import { comment, expression, isIdentifier, literal, memberName, quoted, templateText } from './add/literals';
import { checkParses, insertInto, readSource, writeChanges } from './add/source-file';
import { importsCompiled, wayTo } from './add/write-spec';
import { findPackage } from './build/anchored-package';
import { copyBesideFiles } from './build/beside-files';
import { describeLeft, programFiles } from './files/program-files';
import { changedLines, showChange, hide } from './files/show-change';
import { copyToNewFile, PRIVATE, writeNewFile } from './new-file';
import { checkInside, checkOwnFile, writeFailure, writeFiles } from './write-files';

// The form of a command, and of what ends it.
export type { CommandPackage, FillCommand } from './command-packages/command-package';
export { InvalidArgumentError } from 'commander';
export { rawWords } from './commands/session-options';
export { CliFailure, codeOf, commandFailures, failuresOf, reasonOf } from './failure';
export { versionOfCli } from './version';

// The terminal: output, questions, Ctrl-C, and a line about what goes on.
export { ShownPrompts } from './questions/shown-prompts';
export { columns } from './terminal/columns';
export { interruptible, statusOfSignal } from './terminal/interruption';
export type { Shell } from './terminal/shell';
export { StatusLine } from './terminal/status-line';
export type { Styles } from './terminal/styles';

// The project of the user, its compiler, and changes of its sources.
export { ProjectEdits } from './add/project-edits';
export { readProject, type ReadProject } from './add/read-project';
export type { FileChange, Insertion, SourceFile } from './add/source-file';
export { compileApart } from './project/compile-apart';
export { readEnvExample, isSecretName, isSecretValue, type ExampleVariable } from './project/env-example';
export { findMain, findProject, hasEntry, shownPath } from './project/find-project';
export { loadTypeScript, type Compiler } from './project/load-typescript';
export { runProgram } from './scaffold/run-program';

/** The sources of a project: read, changed, and written, all of them or none. */
export const sources = {
  ...{ read: readSource, check: checkParses, insert: insertInto, write: writeChanges },
  ...{ inStyle, moduleOf, valueBindings, extendImport, wayTo, importsCompiled, changedLines, showChange, hide },
};

/** Values as TypeScript. */
export const literals = { comment, expression, isIdentifier, literal, memberName, quoted, templateText };

/** Files that are written whole, and through no link that leads out of their folder, and what of a folder belongs to a program. */
export const ownFiles = {
  ...{
    write: writeFiles,
    failure: writeFailure,
    writeNew: writeNewFile,
    copyNew: copyToNewFile,
    checkOwn: checkOwnFile,
    checkInside,
    PRIVATE,
  },
  ...{ findPackage, copyBeside: copyBesideFiles, listOf: programFiles, describeLeft },
};

// Its server: bundled with what belongs to it, and started.
export { bundleServer, type Bundle } from './build/bundle';
export type { LeftOut } from './files/program-files';
export { survey, type Survey } from './inspect/survey';
export { withServer } from './session/session';
export { isBareAddress, type ProgramTarget } from './targets/target';

// Values from elsewhere, and templates of files.
export { FILE_TYPES, endingOf } from './file-types';
export { readObject, type LooseObject } from './json-object';
export { readTemplates } from './files/template';
export { loadTokenizer, type CountTokens } from './tokens/count-tokens';
