/** Apps as an extension of a server. */
export { APPS } from './names';
