/** The place of a request in a trace: below the span of its client, of its first round, or of the program around the server. */
import {
  context,
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
export interface TracePlace {
  readonly parent: Context;
  readonly links: readonly Link[];
}

type Request = Pick<ObservedRequest, 'params' | 'headers' | 'notes' | 'isBackground'>;

/**
 * Finds the place of a request. What the client says in `_meta` comes first, then the first round of the same call, then the span that is
 * active in this program, then the headers. A task is a trace of its own, with a link to the request that it was made of.
 * @see https://modelcontextprotocol.io/seps/414-request-meta
 */
export function placeOf({ params, headers, notes, isBackground }: Request): TracePlace {
  const active = trace.getSpanContext(context.active());
  const first = spanIn({ traceparent: notes[OBSERVER_NAME] });
  if (isBackground) return { parent: ROOT_CONTEXT, links: linksTo(first) };
  const said = extract(params?.['_meta']);
  if (trace.getSpanContext(said)) return { parent: said, links: linksTo(first, active) };
  if (first) return { parent: trace.setSpanContext(ROOT_CONTEXT, first), links: linksTo(active) };
  if (active) return { parent: context.active(), links: [] };
  return { parent: extract(headers), links: [] };
}

/** The place of a message that has no parameters that could be read. */
export function placeOfHeaders(headers: ObservedRequest['headers']): Context {
  const active = context.active();
  return trace.getSpanContext(active) ? active : extract(headers);
}

/** The place of a notification. */
export function placeOfMeta(params: ObservedRequest['params']): Context {
  const said = extract(params?.['_meta']);
  return trace.getSpanContext(said) ? said : context.active();
}

function linksTo(...spans: readonly (SpanContext | undefined)[]): Link[] {
  return spans.flatMap((span) => (span ? [{ context: span }] : []));
}

function spanIn(carrier: object): SpanContext | undefined {
  return trace.getSpanContext(extract(carrier));
}

/** Clients write anything: only texts are read. */
function extract(carrier: unknown): Context {
  if (typeof carrier !== 'object' || carrier === null) return ROOT_CONTEXT;
  const members = carrier as Readonly<Record<string, unknown>>;
  return propagation.extract(ROOT_CONTEXT, members, {
    get: (of, key) => (typeof of[key] === 'string' && Object.hasOwn(of, key) ? of[key] : undefined),
    keys: (of) => Object.keys(of),
  });
}

/** A span as text, for `notes`. */
export function textOf(span: SpanContext): string {
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}
