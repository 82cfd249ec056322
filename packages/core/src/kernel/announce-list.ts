/**
 * Announces requests for lists on a channel of `node:diagnostics_channel`, so that a tool which started the program, such as the page of
 * `sigil dev`, can ask what the caller may do with each entry, and what decided it. Costs nothing if nothing listens.
 */
import { channel } from 'node:diagnostics_channel';
import type { RunningCall } from '../calls/running-call';
import type { Caller } from '../context/caller';
import { ALL_KINDS } from '../kinds/all-kinds';
import { judge, type Judgement } from '../registry/judgement';
import type { Registry } from '../registry/registry';

/** The channel. The command `sigil dev` knows it by the same name. */
const LISTED = channel('sigil:list:judge');

/** A request for a list, as it is announced. */
export interface AnnouncedList {
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Judges the entries of all kinds for the caller. */
  readonly judge: () => Promise<readonly Judgement[]>;
  /** What the answer waits for: guards may need what was made for this request. */
  readonly waits: Promise<unknown>[];
}

/** Announces a request; a promise if a listener makes it wait. */
export function announceList(
  registry: Pick<Registry, 'entries'>,
  call: Pick<RunningCall, 'meta' | 'context'>,
): Promise<unknown> | undefined {
  if (!LISTED.hasSubscribers) return undefined;
  const { meta, context } = call;
  const all = (): Promise<readonly Judgement[]> =>
    Promise.all(ALL_KINDS.flatMap(({ kind }) => [...registry.entries(kind)]).map((entry) => judge(entry, context)));
  const announced: AnnouncedList = { meta: meta.all, caller: context.caller, judge: all, waits: [] };
  LISTED.publish(announced);
  return announced.waits.length === 0 ? undefined : Promise.allSettled(announced.waits);
}
