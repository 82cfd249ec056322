/**
 * The entry for authors of transports, adapters and extensions: what a transport needs of a server, and what several servers of a process
 * share. The few names that authors of servers need, too, are also in the main entry.
 */
export type { Conversation, Exchange } from './calls/conversation';
export type { MessageSource, ConversationSwitch, Opening } from './conversations/open-conversation';
export type { Auth, TokenRequest } from './context/auth';
export { ANONYMOUS, Caller, LOCAL, WITHOUT_TOKEN, type CallerInit, type CallerKind } from './context/caller';
export type { RequestHeaders } from './context/mcp-context';
export type { Network, ObservedStream, StreamEndReason } from './context/observer';
export { AskFailure, endedCall } from './errors/failures';
export { Denial } from './errors/denial';
export { sigilError } from './errors/catalogue';
export type { HearMessage, Instance } from './instances/instance';
export type { IncomingRequest, WrittenAnswer } from './kernel/compiled-method';
export { answerBatch, batchRefusal } from './kernel/answer-batch';
export type { ChangeListener, ChangeListeners } from './kernel/change-listeners';
export type { Kernel } from './kernel/kernel';
export type { Observers } from './kernel/observers';
export type { Logger } from './logging/logger';
export { DuplexChannel, type WriteText } from './transports/duplex-channel';
export type { Transport, TransportHost } from './transports/transport';
export { lifeOf, SharedLife } from './extensions/shared-life';
export { settleWithin, systemClock, type Clock, type MaybePromise, type Timer } from '@sigil-mcp/base';
