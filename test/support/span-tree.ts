/** Spans as a tree that people read: the same text for each run. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** The attributes that are shown, in this order. */
const SHOWN = ['mcp.protocol.version', 'network.transport', 'error.type'];
/** The column of the kinds. */
const KINDS = 30;
/** The column of the attributes. */
const DETAILS = 40;

/** Each span is below its parent, with its kind, its tracer, and the attributes and events that matter. */
export function spanTree(spans: readonly ReadableSpan[]): string {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const roots = spans.filter(({ parentSpanContext: parent }) => !parent || !ids.has(parent.spanId));
  return roots.flatMap((root) => linesOf(root, spans, ['', ''])).join('\n');
}

function linesOf(
  span: ReadableSpan,
  spans: readonly ReadableSpan[],
  [first, rest]: readonly [string, string],
): string[] {
  const below = spans
    .filter(({ parentSpanContext: parent }) => parent?.spanId === span.spanContext().spanId)
    .sort((a, b) => nanoseconds(a) - nanoseconds(b));
  const children = below.flatMap((child, index) => {
    const isLast = index === below.length - 1;
    return linesOf(child, spans, [`${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`]);
  });
  const kind = `${first}${span.name}`.padEnd(KINDS) + SpanKind[span.kind];
  return [`${kind.padEnd(DETAILS)}${detailsOf(span, spans).join('  ')}`, ...children];
}

function detailsOf(
  { attributes, events, links, status, instrumentationScope: { name } }: ReadableSpan,
  spans: readonly ReadableSpan[],
): string[] {
  const shown = SHOWN.filter((key) => attributes[key] !== undefined).map((key) => `${key}=${String(attributes[key])}`);
  const said = events.map((event) => `event ${event.name}`);
  const linked = links.map((link) => {
    const other = spans.find((span) => span.spanContext().spanId === link.context.spanId);
    return `link to ${other ? `the span by ${other.instrumentationScope.name}` : 'another trace'}`;
  });
  return [
    `by ${name}`,
    ...shown,
    ...said,
    ...linked,
    ...(status.code === SpanStatusCode.ERROR ? ['status ERROR'] : []),
  ];
}

function nanoseconds({ startTime: [seconds, rest] }: ReadableSpan): number {
  return (seconds % 1e5) * 1e9 + rest;
}
