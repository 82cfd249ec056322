/** Test a Sigil server as a client sees it, on every protocol revision. */
export type { AnswerQuestion, Question } from './answers';
export { connect } from './connect';
export type { ConnectOptions, Target } from './connect';
export { eachRevision } from './each-revision';
export type { RevisionCase, RevisionRange } from './each-revision';
export type { CommandTarget } from './pipes/command-pipe';
export { RpcError } from './rpc-error';
export { TestClient } from './test-client';
export type { StartedRequest, Traffic } from './test-client';
