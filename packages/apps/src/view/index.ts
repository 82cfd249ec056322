/** The page's side of a view: import it in a page that you bundle, or use the script that the server writes into the page. */
export { connectView } from './connect-view';
export type { ConnectedView, Untyped, BridgeOptions } from './connect-view';
export { ViewError, type HostRequestOptions, type JsonRecord } from './host-channel';
export type { ConnectedHost, ContainerDimensions, DisplayMode, HostContext } from './look';
export type { AnswerParts, ToolAnswer } from './connect-view';
export type { NoArguments, OnWire } from '@sigil-mcp/core';
export type { PartialArguments, ArgumentsOfTool, DataOfTool, ToolOf } from './connect-view';
