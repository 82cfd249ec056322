/**
 * The kit for packages of commands: what a command needs besides its own code. Such a package exports `commands` (CommandPackage), and the
 * command line finds it by its name.
 */

// The form of a command, and of what ends it.
export type { CommandPackage, FillCommand } from './command-packages/command-package';
export { commandFailures, failuresOf, reasonOf, type CliFailure, type Failures } from './failure';
export { versionOfCli } from './version';

// The terminal: output, questions, Ctrl-C, and a line about what goes on.
export { ShownPrompts } from './questions/shown-prompts';
export { interruptible, statusOfSignal } from './terminal/interruption';
export type { Shell } from './terminal/shell';
export { StatusLine } from './terminal/status-line';
export type { Styles } from './terminal/styles';

// The project of the user, and its compiler.
export { readProject, type ReadProject } from './add/read-project';
export { readEnvExample, type ExampleVariable } from './install/env-example';
export { compileApart } from './project/compile-apart';
export { findMain, findProject, hasEntry } from './project/find-project';
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

// Its server: bundled with what belongs to it, and started.
export { findPackage } from './build/anchored-package';
export { copyBesideFiles } from './build/beside-files';
export { bundle, type Bundle } from './build/bundle';
export { loadBundler } from './build/load-bundler';
export { describeLeft, programFiles, type LeftOut } from './files/program-files';
export { survey, type Survey } from './inspect/survey';
export { withServer } from './session/session';
export type { ProgramTarget } from './targets/target';

// Files that are written whole, and through no link that leads out of their folder.
export { setInJson } from './install/edit/json-settings';
export { copyToNewFile, writeNewFile } from './new-file';
export { checkOwnFile, writeFailure, writeFiles } from './write-files';

// New code: values as TypeScript, and files from templates.
export { comment, expression, isIdentifier, literal, memberName, quoted, templateText } from './add/literals';
export { readTemplates } from './scaffold/template';

// Values from elsewhere.
export { FILE_TYPES, endingOf } from './file-types';
export { isSecretName } from './install/env-example';
export type { LooseObject } from './json-object';
export { ENCODING, loadTokenizer, type CountTokens } from './tokens/count-tokens';
