/** Test a Sigil server as a client sees it, on every protocol revision. */
export type { AnswerQuestion, Question } from './client/question';
export type { CallOptions, Progress } from './client/call-options';
export type { CallerOptions, TestCaller } from './connect';
export { connect } from './connect';
export type { ConnectOptions, Target } from './connect';
export { createClient } from './create-client';
export type { TestCalls, TypedTestClient } from './create-client';
export { RpcError, type CommandTarget, type Traffic } from '@sigil-mcp/client/wire';
export { eachRevision } from './each-revision';
export type { RevisionCase, RevisionRange } from './each-revision';
export { issuer, type TestIssuer } from './issuer/issuer';
export type { IssuerOptions } from './issuer/issuer';
export type { AskingClient, IssuedTokenOptions, People, Person } from './issuer/issued-tokens';
export { matchers } from './matchers/matchers';
export type { SigilMatchers } from './matchers/matchers';
export type { MessagePattern } from './matchers/message-matchers';
export type { TextPattern } from './matchers/matcher';
export type { SaidMessage } from './client/notifications';
export type {
  Answer,
  Block,
  CallToolAnswer,
  CompleteAnswer,
  GetPromptAnswer,
  ListAnswer,
  ListedEntry,
  ListPromptsAnswer,
  ListResourcesAnswer,
  ListTemplatesAnswer,
  ListToolsAnswer,
  ReadResourceAnswer,
} from './results';
export { TestClient } from './client/test-client';
export type { StartedRequest } from './client/started-request';
export type { KeyedQuestion, StartedTask } from './client/started-task';
export { ManualClock } from './time/manual-clock';
export { recordTraffic } from './traffic/transcript';
export type { RecordedMessage, TrafficRecorder } from './traffic/transcript';
