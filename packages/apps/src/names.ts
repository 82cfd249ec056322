/** The name of the extension. */

/** As capabilities have it. */
export const APPS = 'io.modelcontextprotocol/ui';
