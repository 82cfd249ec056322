/** Apps as an extension of a server. */
export { apps } from './apps';
export type { AppsOptions } from './apps';
export type { ToolCaller } from './declared/audience';
export { View } from './declared/view';
export type { ViewDecorator } from './declared/view';
export { view } from './declared/view-function';
export type { ViewFunctionOptions } from './declared/view-function';
export type { ViewPolicy, ViewOptions, ViewPermission, ViewSettings } from './declared/view-options';
export { inlineBridge } from './inline-bridge';
export { APPS } from './names';
