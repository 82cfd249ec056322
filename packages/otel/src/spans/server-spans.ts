/** The spans of a server: of its requests, its notifications, and of what was refused before it was one. */
import { context as contexts, SpanKind, SpanStatusCode, type Attributes, type Context } from '@opentelemetry/api';
import type { ObservedNotification, ObservedRefusal, ObservedRequest, UnreadableMessage } from '@sigil-mcp/core';
import { ATTRIBUTES, OTHER } from '../conventions';
import { parentInHeaders, parentInMeta } from './span-parent';
import { errorAttributes, isServerFault, type RequestAttributes } from './request-attributes';
import { RecordedRequest } from './recorded-request';
import { RequestSpan, type SpanSettings } from './request-span';

/** Notifications of the protocol: a client may send others. */
const NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

/** Makes the spans. */
export class ServerSpans {
  constructor(private readonly settings: SpanSettings) {}

  start(request: ObservedRequest): RequestSpan {
    return new RequestSpan(request, this.settings.tracer);
  }

  /** What describes a request in its span; undefined if the span is not recorded. */
  describe(
    { span }: RequestSpan,
    request: ObservedRequest,
    attributes: RequestAttributes,
  ): RecordedRequest | undefined {
    return span.isRecording() ? new RecordedRequest(span, request, attributes, this.settings) : undefined;
  }

  notified({ method, revision, params }: ObservedNotification): void {
    const name = NOTIFICATIONS.has(method) ? method : OTHER;
    const attributes = { [ATTRIBUTES.method]: name, [ATTRIBUTES.protocolVersion]: revision };
    this.#moment(name, attributes, parentInMeta(params));
  }

  unreadable({ isRefused, ...fault }: UnreadableMessage): void {
    if (!isRefused) this.#moment(OTHER, errorAttributes(fault), contexts.active());
  }

  refused({ status, headers, ...refusal }: ObservedRefusal): void {
    const http = status === undefined ? {} : { [ATTRIBUTES.httpStatus]: status };
    this.#moment(OTHER, { ...errorAttributes(refusal), ...http }, parentInHeaders(headers));
  }

  /** A span without a duration: what it is about was over when it was reported. */
  #moment(name: string, attributes: Attributes, place: Context): void {
    const span = this.settings.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, place);
    const code = Number(attributes[ATTRIBUTES.statusCode]);
    if (isServerFault(code)) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}
