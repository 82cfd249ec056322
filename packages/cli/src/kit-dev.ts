/** The kit for the page of `sigil dev`: its port, what it sees of the server, and where something is in the sources. */

export type { RequestWatcher, WatchedChild } from './dev/child-server';
export type { DevListener } from './dev/dev-server';
export type { HeldQuestion, QuestionWatcher } from './dev/questions';
export type { Inspector, InspectorTarget } from './dev/inspector';
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

export { EntryPlaces, type EntryPositions } from './causes/entry-places';
export { ownFrames, positionOfFrame } from './causes/own-frames';
export { ParsedSources } from './project/parsed-sources';
export { placeOf, type SourceProblem } from './project/show-position';

export { dashed, joined } from './add/pieces';
export { specFor } from './add/write-spec';
export { costOf } from './budget/offer-cost';
export { mention } from './terminal/mention';
export { programOfCli } from './version';
