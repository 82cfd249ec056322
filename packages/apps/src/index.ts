/** Apps as an extension of a server. */
export { inlineBridge } from './inline-bridge';
export { APPS } from './names';
