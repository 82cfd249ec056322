/** A guard's "no" -> the error the caller gets. */
import { ProtocolError } from '@sigil-mcp/protocol';
import { Denial } from '../errors/denial';
import type { CallState } from './call-state';

/** A denial as it is; a plain `false` hides the entry: the answer is the one for a name that does not exist. */
export function refusal(verdict: false | Denial, call: CallState): ProtocolError {
  if (verdict instanceof Denial) return verdict;
  const { entry } = call;
  if (entry?.kind === 'tool') return unknownTool(entry.key);
  if (entry?.kind === 'prompt') return unknownPrompt(entry.key);
  return unknownResource('uri' in call.params ? String(call.params.uri) : '');
}

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
  return new ProtocolError('resource-not-found', `Resource not found: ${excerpt(uri)}`, { uri });
}

/** A name of a client's choosing, short enough for an error message. */
function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
