/** The methods that list entries, one for each kind: `tools/list` and the like. */
import { channel } from 'node:diagnostics_channel';
import type { RunningCall } from '../../calls/running-call';
import type { Caller } from '../../context/caller';
import { ALL_KINDS } from '../../kinds/all-kinds';
import type { ListMethod } from '../../kinds/entry-kind-rules';
import type { Entry } from '../../registry/entry';
import type * as Judging from '../../registry/judgement';
import type { Registry } from '../../registry/registry';
import { andThen } from '@sigil-mcp/base';
import type { MethodHandler } from '../compiled-method';
import type { ServerContext } from '../server-context';

/** Lists the entries of each kind. */
export function listMethods(services: ServerContext): MethodHandler<ListMethod>[] {
  const { maskError, registry } = services;
  return ALL_KINDS.map((rules) => {
    const { listMethod: method, capability } = rules;
    const reportFailure = (error: unknown, entry: Entry): void => void maskError(error, { method, entry });
    const list = rules.openList({ ...services, reportFailure });
    return {
      method,
      capability,
      handle: (call) => andThen(announceList(registry, call), () => list.page(call.params.cursor, call.context)),
    };
  });
}

/**
 * The channel on which requests for lists are announced, so that a tool which started the program, such as the page of `sigil dev`, can ask what
 * the caller may do with each entry, and what decided it. Costs nothing if nothing listens.
 */
const LISTED = channel('sigil:list:judge');

/** A request for a list, as it is announced. */
interface AnnouncedList {
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Judges the entries of all kinds for the caller. */
  readonly judge: () => Promise<readonly Judging.Judgement[]>;
  /** What the answer waits for: guards may need what was made for this request. */
  readonly waits: Promise<unknown>[];
}

/** Announces a request; a promise if a listener makes it wait. */
function announceList(
  registry: Pick<Registry, 'entries'>,
  call: Pick<RunningCall, 'meta' | 'context'>,
): Promise<unknown> | undefined {
  if (!LISTED.hasSubscribers) return undefined;
  const { meta, context } = call;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  const { judge } = require('../../registry/judgement') as typeof Judging;
  const all = (): Promise<readonly Judging.Judgement[]> =>
    Promise.all(ALL_KINDS.flatMap(({ kind }) => [...registry.entries(kind)]).map((entry) => judge(entry, context)));
  const announced: AnnouncedList = { meta: meta.all, caller: context.caller, judge: all, waits: [] };
  LISTED.publish(announced);
  return announced.waits.length === 0 ? undefined : Promise.allSettled(announced.waits);
}
