/** How long a message of a server may be. */

/** Characters: more than any message of a sensible server, and less than the memory of a client. */
export const LONGEST_MESSAGE = 64 * 1024 * 1024;
