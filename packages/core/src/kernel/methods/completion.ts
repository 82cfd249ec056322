/** `completion/complete`. */
import { ProtocolError, type CompleteParams, type CompleteResult } from '@sigil-mcp/protocol';
import type { RunningCall } from '../../calls/running-call';
import { andThen } from '@sigil-mcp/base';
import { sigilError } from '../../errors/catalogue';
import { keyOf, tooOften } from '../../guards/rate-limit';
import { TokenBuckets } from '../../limits/token-buckets';
import { unknownPrompt, unknownResource } from '../../errors/unknown-entry';
import type { Entry } from '../../registry/entry';
import type { Registry } from '../../registry/registry';
import { admits } from '../../registry/visibility';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** The specification's limit for one answer. */
const MOST_VALUES = 100;

/** Suggests values for an argument of a prompt or a variable of a template. */
export function complete({ registry, limits, clock }: MethodServices): MethodHandler<'completion/complete'> {
  const { completions } = limits;
  const buckets = completions ? new TokenBuckets(completions, clock) : undefined;
  const checkRate = (call: RunningCall): void => {
    const wait = buckets?.take(keyOf(call.face)) ?? 0;
    if (completions && wait > 0) throw tooOften(completions, wait, 'limits.completions');
  };
  return {
    method: 'completion/complete',
    capability: 'completions',
    locate(call) {
      call.entry = findTarget(registry, call.params);
      call.arguments = call.params.previous;
    },
    async handle(call) {
      checkRate(call);
      const { entry, params } = call;
      // A guarded entry must not be found out by asking for its completions.
      if (!entry || !(await admits(entry, call.context))) throw unknownTarget(params);
      const completer = entry.completers.get(params.argument.name);
      return completer
        ? andThen(completer(params.argument.value, call), (values) => limit(values, call))
        : limit([], call);
    },
  };
}

function findTarget(registry: Registry, { ref }: CompleteParams): Entry | undefined {
  if (ref.type === 'ref/prompt') return registry.find('prompt', ref.name);
  return registry.find('resource-template', ref.uri) ?? registry.findResource(ref.uri)?.entry;
}

function limit(values: unknown, { entry }: RunningCall): CompleteResult {
  if (!Array.isArray(values)) throw sigilError('SIGIL_COMPLETER_OUTPUT', { entry: entry?.key ?? '' });
  const list = values.map(String);
  return { completion: { values: list.slice(0, MOST_VALUES), total: list.length, hasMore: list.length > MOST_VALUES } };
}

function unknownTarget({ ref }: CompleteParams): ProtocolError {
  if (ref.type === 'ref/prompt') return unknownPrompt(ref.name);
  return new ProtocolError('invalid-params', unknownResource(ref.uri).message);
}
