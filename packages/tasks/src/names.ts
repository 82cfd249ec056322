/** The names of the extension. */

/** As capabilities have it. */
export const TASKS = 'io.modelcontextprotocol/tasks';
