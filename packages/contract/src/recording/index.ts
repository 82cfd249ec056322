/** Recorded calls: an observer that writes them, and what is compared when they run again. */
export { recordCalls, type RecordCallsOptions } from './record-calls';
export {
  type AnswerChange,
  type AnswerVerdict,
  compareAnswers,
  type NewAnswer,
  readRecordedCall,
  type RecordedCall,
  type RecordedMethod,
  type RecordedOutcome,
} from './recorded-call';
