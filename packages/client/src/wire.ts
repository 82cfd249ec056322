/** The lower layer of the client: single messages over a pipe, for test clients, proxies and other programs that look at every message. */
export { Connection } from './connection/connection';
export type { ConnectionOptions, SentRequest, Traffic } from './connection/connection';
export { answerRounds } from './connection/questions';
export type { AnswerQuestion, Question, Rounds } from './connection/questions';
export { clientConversation } from './conversations/client-conversation';
export type {
  ClientConversation,
  PlainRequest,
  SelfDescription,
  SubscriptionPlan,
} from './conversations/client-conversation';
export type { HttpProfile, MirrorArguments } from './conversations/http-profile';
export { requestCodec } from './conversations/request-codec';
export type { RequestCodec } from './conversations/request-codec';
export { commandPipe } from './pipes/command-pipe';
export type { CommandTarget } from './pipes/command-pipe';
export type { ClientAuth, HttpPipeOptions } from './pipes/http-endpoint';
export { memoryPipe } from './pipes/memory-pipe';
export type { MemoryEndpoint } from './pipes/memory-pipe';
export type { OpenPipe, Pipe, PipeUser } from './pipes/pipe';
export { urlPipe } from './pipes/url-pipe';
export { RpcError } from './rpc-error';
