/** Test a Sigil server as a client sees it, on every protocol revision. */
export type { AnswerQuestion, CallOptions, Progress, Question } from './client/call-options';
export {
  type CallerOptions,
  connect,
  type ConnectOptions,
  createClient,
  type Target,
  type TestCaller,
  type TestCalls,
  type TypedTestClient,
} from './connect';
export { RpcError, type CommandTarget, type Traffic } from '@sigil-mcp/client/wire';
export { eachRevision, type RevisionCase, type RevisionRange } from './each-revision';
export { issuer, type IssuerOptions, type TestIssuer } from './issuer/issuer';
export type { AskingClient, IssuedTokenOptions, People, Person } from './issuer/issued-tokens';
export { matchers, type SigilMatchers } from './matchers/matchers';
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
export { recordTraffic, type RecordedMessage, type TrafficRecorder } from './traffic/transcript';
