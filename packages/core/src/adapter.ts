/**
 * The entry for authors of transports and adapters. It exports everything that a transport needs of a server; the few names that
 * authors of servers need, too, are also in the main entry.
 */
export { askerOf } from './asking/pending-questions';

export { changeRecord, isConversationRecord, subscriptionsOf } from './calls/conversation';
export type {
  Conversation,
  ConversationChange,
  ConversationRecord,
  Exchange,
  FollowSubscription,
  LastingConversation,
} from './calls/conversation';
export { callFields, type LoggedCall } from './calls/call-fields';
export { RunningCalls, type Cancellable } from './calls/running-calls';

export type { MessageSource, ConversationSwitch, Opening } from './conversations/open-conversation';

export type { Auth, TokenRequest } from './context/auth';
export { ANONYMOUS, Caller, LOCAL, WITHOUT_TOKEN, type CallerInit, type CallerKind } from './context/caller';
export type { RequestHeaders } from './context/mcp-context';
export type { Network, ObservedStream, StreamEndReason } from './context/observer';

export { AskFailure, endedCall, lateReason } from './errors/failures';
export { Denial, limitOf, MissingScopes, MissingToken, overload } from './errors/denial';
export { problem, sigilError, wordsFor, type ValuesFor } from './errors/catalogue';

export { readAnnouncement, type InstanceChanges, type MissedChange } from './instances/instance-changes';
export type { HearMessage, Instance } from './instances/instance';

export type { IncomingRequest, WrittenAnswer } from './kernel/compiled-method';
export { answerBatch, batchRefusal } from './kernel/answer-batch';
export { SERVER_OPTIONS } from './server/server-options';
export { ChangeFeed } from './kernel/change-feed';
export type { ChangeListener, ChangeListeners } from './kernel/change-listeners';
export type { Kernel } from './kernel/kernel';
export type { Observers } from './kernel/observers';

export { LOCAL_CLIENT, networkOf, readAddress } from './limits/client-key';
export { Budget } from './limits/budget';
export { ClientLoad } from './limits/client-load';
export { checkShares, fillLimits, shareOf, type ClientShares } from './limits/server-limits';
export { ClientTurns, Places } from './limits/client-turns';
export { WEIGHTS, type Account } from './limits/account';
export { DROPPED } from './limits/held-account';
export { heapOfProcess, memoryReport, type MemoryReport } from './limits/needed-memory';
export { weightOfValue } from '@sigil-mcp/protocol';
export { checkNumbers } from './limits/server-limits';
export type { ResolvedLimits } from './limits/server-limits';
export { TokenBuckets } from './limits/token-buckets';

export type { Logger } from './logging/logger';

export { loadExaminer } from './load-examiner';
export type { ExaminedClass } from '@sigil-mcp/schema';
export type { MirroredArgument } from './mirrored-arguments/mirrored-arguments';

export { isBlock, isBytes, isContentBlock, isResourceContents, markContent } from './output/content-blocks';
export { isToolResult } from './output/results';

export { DuplexChannel, type WriteText } from './transports/duplex-channel';
export { ownProcess, type ProcessEvents } from './transports/own-process';
export type { Transport, TransportHost } from './transports/transport';

export { clockOutside, outsideRequests, type RunOutside } from './values/outside-requests';
export { isScope, visible, visibleLine } from './values/visible-text';
export { loadFeatureMarks } from './load-feature-marks';

export { lifeOf, SharedLife } from './extensions/shared-life';
export {
  andThen,
  checkOptions,
  Deadline,
  defineErrors,
  DefinitionError,
  errorPage,
  isObject,
  parseJson,
  isPromise,
  LONGEST_TIMER,
  membersOf,
  nameValue,
  nearestNames,
  oneOf,
  OPTION_RULES,
  platformClock,
  requireOptions,
  settleWithin,
  shorten,
  systemClock,
  unawaited,
  wholeNumber,
  withOthers,
  type CatalogueEntries,
  type CatalogueGroup,
  type Clock,
  type CodeOf,
  type DefinedErrors,
  type ErrorWords,
  type MaybePromise,
  type OptionRule,
  type OptionRules,
  type Timer,
  type ValuesOf,
} from '@sigil-mcp/base';
