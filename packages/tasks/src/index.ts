/** Tasks as an extension of a server. */
export { TASKS } from './names';
