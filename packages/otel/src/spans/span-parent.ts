/** The parent of the span of a request: the span of its client, of its first round, or of the program around the server. */
import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type Link,
  type SpanContext,
} from '@opentelemetry/api';
import type { ObservedRequest } from '@sigil-mcp/core';

/** The name under which spans are noted for the next round of a call, and for tasks. */
export const OBSERVER_NAME = 'opentelemetry';

/** A parent, and what the span is linked with. */
export interface SpanParent {
  readonly parent: Context;
  readonly links: Link[];
}

type Request = Pick<ObservedRequest, 'params' | 'headers' | 'notes' | 'isBackground'>;

/**
 * The parent of a request. What the client says in `_meta` comes first, then the first round of the same call, then the span that is
 * active in this program, then the headers. A task is a trace of its own, with a link to the request that it was made of.
 * @see https://modelcontextprotocol.io/seps/414-request-meta
 */
export function parentOf({ params, headers, notes, isBackground }: Request): SpanParent {
  const active = trace.getSpanContext(context.active());
  const first = spanOf(notes[OBSERVER_NAME]);
  if (isBackground) return { parent: ROOT_CONTEXT, links: linksTo(first) };
  const said = extract(params?.['_meta']);
  if (trace.getSpanContext(said)) return { parent: said, links: linksTo(first, active) };
  if (first) return { parent: trace.setSpanContext(ROOT_CONTEXT, first), links: linksTo(active) };
  if (active) return { parent: context.active(), links: [] };
  return { parent: extract(headers), links: [] };
}

/** The parent of a message whose parameters could not be read. */
export function parentInHeaders(headers: ObservedRequest['headers']): Context {
  const active = context.active();
  return trace.getSpanContext(active) ? active : extract(headers);
}

/** The parent of a notification. */
export function parentInMeta(params: ObservedRequest['params']): Context {
  const said = extract(params?.['_meta']);
  return trace.getSpanContext(said) ? said : context.active();
}

function linksTo(...spans: readonly (SpanContext | undefined)[]): Link[] {
  return spans.flatMap((span) => (span ? [{ context: span }] : []));
}

/** Clients write anything: only texts are read. */
function extract(carrier: unknown): Context {
  if (typeof carrier !== 'object' || carrier === null) return ROOT_CONTEXT;
  const members = carrier as Readonly<Record<string, unknown>>;
  // Most requests carry nothing: propagators take longer to find that out.
  if (!propagation.fields().some((field) => members[field] !== undefined)) return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, members, {
    get: (of, key) => (typeof of[key] === 'string' && Object.hasOwn(of, key) ? of[key] : undefined),
    keys: (of) => Object.keys(of),
  });
}

/** A span as a note. Its format does not depend on the propagator of the program. */
export function noteOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `${traceId} ${spanId} ${traceFlags}`;
}

function spanOf(note: string | undefined): SpanContext | undefined {
  if (note === undefined) return undefined;
  const [traceId = '', spanId = '', flags = ''] = note.split(' ');
  const span = { traceId, spanId, traceFlags: Number(flags), isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}
