/** The names that the specification of MCP Apps gives to things. */

/** The name of the extension, as capabilities have it. */
export const APPS = 'io.modelcontextprotocol/ui';

/** The MIME type of a view. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

/** The scheme of the URIs of views, with what follows it. */
export const VIEW_SCHEME = 'ui://';

/** The deprecated key in `_meta` of a tool for the URI of its view, which old hosts read. */
export const FLAT_KEY = 'ui/resourceUri';
