/** Recorded calls: an observer that writes them, and what is compared when they run again. */
export { recordCalls } from './record-calls';
export type { RecordCallsOptions } from './record-calls';
export { readRecordedCall } from './recorded-call';
export type { RecordedCall, RecordedMethod, RecordedOutcome } from './recorded-call';
export { compareAnswers } from './compare-answers';
export type { NewAnswer, AnswerChange, AnswerVerdict } from './compare-answers';
