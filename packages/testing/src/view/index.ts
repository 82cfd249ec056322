/** Tests of views: show them in a real host, and look at what a user sees. */
export { openChromium, renderView, type RenderOptions } from './render-view';
export type { ViewCsp } from '@sigil-mcp/client/internal';
export type { ShownView } from './shown-view';
export type { AnswerNetwork, NetworkAnswer } from './view-problems';
export type { ViewCall, ViewRequests } from './view-requests';
