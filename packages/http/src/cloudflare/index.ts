/** MCP over HTTP as a Cloudflare Worker with sessions. */
export { createWorker } from './create-worker';
export type { Worker, WorkerOptions } from './create-worker';
export type { ObjectId, ObjectNamespace, ObjectState, ObjectStorage } from './durable-sessions';
export type { OpenServer, SessionObject, SessionObjectClass, WorkerServerOptions } from './create-worker';
