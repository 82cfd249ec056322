/** The packages that moved code imports. */

/** The package with the decorators. */
export const CORE = '@sigil-mcp/core';
/** The package with the module. */
export const NEST = '@sigil-mcp/nest';
