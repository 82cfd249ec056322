/** What the other packages of Sigil need of the client. Nothing here is promised: it may change in any release. */
export { assertOffered } from './conversations/client-conversation';
export { clientError } from './errors';
export { objectOf, readJson } from './json';
export { challengeOf } from './pipes/challenge';
export type { Challenge } from './pipes/challenge';
export { isPassing, statusOf } from './response-status';
export type { ResponseStatus } from './response-status';
export { followTask } from './tasks/follow-task';
export type { FollowOptions, TaskLine, Watch } from './tasks/follow-task';
export { TASK } from './tasks/operations';
export { hasEnded, readTask, TASKS } from './tasks/task';
export type { Task, TaskQuestion } from './tasks/task';
export { contentSecurityPolicy, memberFor } from './view-policy';
export type { ViewCsp } from './view-policy';
