/** What the other packages of Sigil need of core. Nothing here is promised: it may change in any release. */
export { askerOf } from './asking/pending-questions';
export { changeRecord, isConversationRecord, subscriptionsOf } from './calls/conversation';
export type {
  ConversationChange,
  ConversationRecord,
  FollowSubscription,
  LastingConversation,
} from './calls/conversation';
export { callFields, type LoggedCall } from './calls/call-fields';
export { RunningCalls, type Cancellable } from './calls/running-calls';
export { lateReason } from './errors/failures';
export { limitOf, MissingScopes, MissingToken, overload } from './errors/denial';
export { problem, wordsFor, type ValuesFor } from './errors/catalogue';
export { readAnnouncement, type InstanceChanges, type MissedChange } from './instances/instance-changes';
export { SERVER_OPTIONS } from './server/server-options';
export { ChangeFeed } from './kernel/change-feed';
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
export { loadExaminer } from './load-examiner';
export type { ExaminedClass } from '@sigil-mcp/schema';
export type { MirroredArgument } from './mirrored-arguments/mirrored-arguments';
export { isBlock, isBytes, isContentBlock, isResourceContents, markContent } from './output/content-blocks';
export { isToolResult } from './output/results';
export { ownProcess, type ProcessEvents } from './transports/own-process';
export { clockOutside, outsideRequests, type RunOutside } from './values/outside-requests';
export { isScope } from './members/read-policy';
export { loadFeatureMarks } from './load-feature-marks';
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
  shorten,
  unawaited,
  visible,
  visibleLine,
  wholeNumber,
  withOthers,
  type CatalogueEntries,
  type CatalogueGroup,
  type CodeOf,
  type DefinedErrors,
  type ErrorWords,
  type OptionRule,
  type OptionRules,
  type ValuesOf,
} from '@sigil-mcp/base';
