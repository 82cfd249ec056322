/** Skills as an extension of a server. */
export { SKILLS } from './names';
