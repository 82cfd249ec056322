/**
 * The kit for packages of commands: what a command needs besides its own code. Such a package exports `commands` (CommandPackage), and the
 * command line finds it by its name.
 */

// The form of a command, and of what ends it.
export type { CommandPackage, FillCommand } from './command-packages/command-package';
export { CliFailure, commandFailures, failuresOf, reasonOf, type Failures } from './failure';
export { programOfCli, versionOfCli } from './version';

// The terminal: output, questions, Ctrl-C, and a line about what goes on.
export { ShownPrompts } from './questions/shown-prompts';
export { interruptible, statusOfSignal } from './terminal/interruption';
export type { Shell } from './terminal/shell';
export { StatusLine } from './terminal/status-line';
export { mention } from './terminal/mention';
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
export { extendImport } from './add/add-imports';
export { inStyle } from './add/code-style';
export { moduleOf, valueBindings } from './add/imported-name';
export { ProjectEdits } from './add/project-edits';
export { checkParses, insertInto, readSource, type Insertion, type SourceFile } from './add/source-file';
export { writeChanges, type FileChange } from './add/write-changes';
export { importsCompiled, specFor, wayTo } from './add/write-spec';
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

// Where something is in its sources.
export { EntryPlaces, type EntryPositions } from './causes/entry-places';
export { ownFrames, positionOfFrame } from './causes/own-frames';
export { ParsedSources } from './project/parsed-sources';
export { placeOf, type SourceProblem } from './project/show-position';

// New code: values as TypeScript, and files from templates.
export { comment, expression, isIdentifier, literal, memberName, quoted, templateText } from './add/literals';
export { dashed, joined } from './add/pieces';
export { readTemplates } from './scaffold/template';

// Values from elsewhere.
export { FILE_TYPES, endingOf } from './file-types';
export { isSecretName } from './install/env-example';
export type { LooseObject } from './json-object';
export { ENCODING, loadTokenizer, type CountTokens } from './tokens/count-tokens';
export { costOf } from './budget/entry-cost';

// The page of `sigil dev`: its port, and what it sees of the server.
export type { RequestWatcher, WatchedChild } from './dev/child-server';
export type { DevListener } from './dev/dev-server';
export type { HeldQuestion, QuestionWatcher } from './dev/held-questions';
export type { Inspector, InspectorPackage, InspectorTarget } from './dev/inspector';
export { readWhole } from './dev/read-whole';
export { JUDGE, LIST, LOOKING, readReport } from './dev/request-report';
export type {
  JudgedEntries,
  JudgedEntry,
  MaskedError,
  ReportedEntry,
  ReportedShape,
  RequestReport,
} from './dev/request-report';
export { SecondLine } from './dev/second-line';
export type { RecordedSession } from './dev/session-record';
export type { Tap, TappedHead, TappedText } from './dev/tap';
