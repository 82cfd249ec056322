/** A guard's refusal -> the error that the caller receives. */
import type { ProtocolError } from '@sigil-mcp/protocol';
import { Denial } from '../errors/denial';
import { unknownResource } from '../errors/unknown-entry';
import { rulesOf } from '../kinds/all-kinds';
import type { RunningCall } from '../calls/running-call';

/**
 * The error for a call that a guard does not allow: a denial as it is; a plain `false` hides the entry, so the error is the one
 * for a name that does not exist.
 */
export function guardError(verdict: false | Denial, call: RunningCall): ProtocolError {
  if (verdict instanceof Denial) return verdict;
  const { entry, params } = call;
  const uri = 'uri' in params ? String(params.uri) : '';
  return entry ? rulesOf(entry).unknown(entry.key, uri) : unknownResource(uri);
}
