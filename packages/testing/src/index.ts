/** Test a Sigil server as a client sees it, on every protocol revision. */
export type { AnswerQuestion, Question } from './answers';
export { connect } from './connect';
export type { ConnectOptions } from './connect';
export { eachRevision } from './each-revision';
export type { RevisionCase, RevisionRange } from './each-revision';
export { RpcError } from './rpc-error';
export { TestClient } from './test-client';
export type { Traffic } from './test-client';
