/**
 * The kit for packages of commands: what a command needs besides its own code. Such a package exports `commands` (CommandPackage), and the
 * command line finds it by its name.
 */

// The form of a command, and of what ends it.
export type { CommandPackage, FillCommand } from './command-packages/command-package';
export { failuresOf, type CliFailure, type Failures } from './failure';
export { versionOfCli } from './version';

// The terminal.
export type { Shell } from './terminal/shell';
export type { Styles } from './terminal/styles';

// The project of the user, and its compiler.
export { findProject } from './project/find-project';
export { loadTypeScript, type Compiler } from './project/load-typescript';
export { shownPath } from './project/shown-path';
export { runProgram } from './scaffold/run-program';

// Changes of its sources: all of them are written, or none.
export { changedLines } from './files/compare-lines';
export { writeChanges, type FileChange } from './add/write-changes';
export { checkParses, readSource, type SourceFile } from './add/source-file';
export { inStyle } from './add/code-style';
export { extendImport } from './add/add-imports';
export { moduleOf, valueBindings } from './add/imported-name';
