/** The name of the extension. */

/** As capabilities have it. */
export const SKILLS = 'io.modelcontextprotocol/skills';
