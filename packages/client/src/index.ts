/** A small client of the Model Context Protocol that speaks every revision. */
export { SigilError } from '@sigil-mcp/base';

export { Client } from './client/client';
export type { ServerDescription } from './client/client';
export type { RequestOptions, TypedRequestOptions } from './client/client-request';
export type { NotificationOf, Progress } from './client/notifications';
export type { QuestionContext, QuestionHandlers } from './client/question-handlers';
export type { Subscription } from './client/subscription';
export { TaskHandle } from './client/task-handle';
export type { ToolCallOptions, ResultOptions } from './client/task-handle';
export { connect } from './connect';
export type { ClientOptions, ConnectTarget, MemoryTarget, UrlTarget } from './connect';
export type { Traffic } from './connection/connection';
export type { Challenge } from './pipes/challenge';
export type { CommandTarget } from './pipes/command-pipe';
export type { ClientAuth } from './pipes/http-endpoint';
export { HttpError } from './pipes/http-error';
export type { MemoryEndpoint } from './pipes/memory-pipe';
export type { OpenPipe, Pipe, PipeUser } from './pipes/pipe';
export { RpcError } from './rpc-error';
export { TASKS } from './tasks/task';
export type { Task, TaskQuestion } from './tasks/task';
