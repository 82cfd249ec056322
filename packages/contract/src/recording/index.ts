/** Recorded calls: an observer that writes them, and what is compared when they run again. */
export { recordCalls, type RecordCallsOptions } from './record-calls';
export { readRecordedCall, type RecordedCall, type RecordedMethod, type RecordedOutcome } from './recorded-call';
export { compareAnswers, type AnswerChange, type AnswerVerdict, type NewAnswer } from './compare-answers';
