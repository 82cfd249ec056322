/** A guard's refusal -> the error that the caller receives. */
import type { ProtocolError } from '@sigil-mcp/protocol';
import { Denial } from '../errors/denial';
import { unknownPrompt, unknownResource, unknownTool } from '../errors/unknown-entry';
import type { RunningCall } from '../calls/running-call';

/**
 * The error for a call that a guard does not allow: a denial as it is; a plain `false` hides the entry, so the error is the one
 * for a name that does not exist.
 */
export function refusal(verdict: false | Denial, call: RunningCall): ProtocolError {
  if (verdict instanceof Denial) return verdict;
  const { entry } = call;
  if (entry?.kind === 'tool') return unknownTool(entry.key);
  if (entry?.kind === 'prompt') return unknownPrompt(entry.key);
  return unknownResource('uri' in call.params ? String(call.params.uri) : '');
}
