/**
 * The kit for packages of commands: what a command needs besides its own code. Such a package exports `commands` (CommandPackage), and the
 * command line finds it by its name.
 */

// The form of a command, and of what ends it.
export type { CommandPackage, FillCommand } from './command-packages/command-package';
export { failuresOf, reasonOf, type CliFailure, type Failures } from './failure';
export { versionOfCli } from './version';

// The terminal: output, questions, Ctrl-C.
export { ShownPrompts } from './questions/shown-prompts';
export { interruptible, statusOfSignal } from './terminal/interruption';
export type { Shell } from './terminal/shell';
export type { Styles } from './terminal/styles';

// The project of the user, and its compiler.
export { readProject, type ReadProject } from './add/read-project';
export { findProject } from './project/find-project';
export { loadTypeScript, type Compiler } from './project/load-typescript';
export { shownPath } from './project/shown-path';
export { runProgram } from './scaffold/run-program';

// Changes of its sources: all of them are written, or none.
export { addImports, extendImport } from './add/add-imports';
export { inStyle } from './add/code-style';
export { moduleOf, valueBindings } from './add/imported-name';
export { listEntry } from './add/list-entry';
export { checkParses, insertInto, readSource, type Insertion, type SourceFile } from './add/source-file';
export { writeChanges, type FileChange } from './add/write-changes';
export { importsCompiled, wayTo } from './add/write-spec';
export { changedLines } from './files/compare-lines';
export { showChange } from './install/show-change';

// New code: values as TypeScript, and files from templates.
export { comment, expression, isIdentifier, literal, memberName, quoted, templateText } from './add/literals';
export { readTemplates } from './scaffold/template';

// Values from elsewhere.
export { FILE_TYPES, endingOf } from './file-types';
export { isSecretName } from './install/env-example';
export type { LooseObject } from './json-object';
export { ENCODING, loadTokenizer, type CountTokens } from './tokens/count-tokens';
