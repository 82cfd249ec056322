/** Apps as an extension of a server. */
export { apps, type AppsOptions } from './apps';
export type { ToolCaller } from './declared/audience';
export { View, type ViewDecorator } from './declared/view';
export { view, type ViewFunctionOptions } from './declared/view-function';
export type { ViewPolicy, ViewOptions, ViewPermission, ViewSettings } from './declared/view-options';
export { inlineBridge } from './inline-bridge';
export { APPS } from './names';
