/** Errors for entries that do not exist, or that the caller may not know of. */
import { ProtocolError } from '@sigil-mcp/protocol';
import { shorten } from '@sigil-mcp/base';

/** No tool has this name, as far as the caller may know. */
export function unknownTool(name: string): ProtocolError {
  return new ProtocolError('invalid-params', `Unknown tool: ${excerpt(name)}`);
}

/** No prompt has this name, as far as the caller may know. */
export function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError('invalid-params', `Unknown prompt: ${excerpt(name)}`);
}

/** No resource is under this URI, as far as the caller may know. */
export function unknownResource(uri: string): ProtocolError {
  return new ProtocolError('resource-not-found', `Resource not found: ${excerpt(uri)}`, { uri: shorten(uri, 2000) });
}

/** A name of a client's choosing, short enough for an error message. */
function excerpt(text: string): string {
  return shorten(text, 200);
}
