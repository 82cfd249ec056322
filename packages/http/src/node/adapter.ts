/** For authors of adapters on Node: requests, responses and connections of `node:http`, as the port has them. */
export { answerBare } from './create-node-handler';
export { Connections } from './server-connections';
export { sendEvents } from './event-writer';
export { firstAddressOf, LoopbackListener } from './loopback-listener';
export { NodeRequest } from './create-node-handler';
export { dropRest } from './request-body';
export { ServerConnections } from './server-connections';
export { answerExpectation, answerUnread, unreadableRequests } from './unreadable-request';
