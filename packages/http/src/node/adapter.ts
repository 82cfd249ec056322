/** For authors of adapters on Node: requests, responses and connections of `node:http`, as the port has them. */
export { answerBare, NodeRequest } from './create-node-handler';
export { Connections, ServerConnections } from './server-connections';
export { sendEvents } from './event-writer';
export { firstAddressOf, LoopbackListener } from './loopback-listener';
export { dropRest } from './request-body';
export { answerExpectation, answerUnread, unreadableRequests } from './unreadable-request';
