/** What the span of a request says of it. */
import { SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';
import type { Call, EntryFacts, ObservedRequest, RequestOutcome, Verdict } from '@sigil-mcp/core';
import { ATTRIBUTES, INPUT_REQUIRED, OWN } from '../conventions';
import { recordedCall } from './recorded-call';
import { isServerFault, type RequestAttributes } from './request-attributes';
import type { SpanSettings } from './request-span';

/** Longer values of clients are cut. */
const LONGEST = 200;

/** Describes one request in its span, and ends the span. */
export class RecordedRequest {
  #tool: EntryFacts | undefined;

  constructor(
    private readonly span: Span,
    private readonly request: ObservedRequest,
    private readonly attributes: RequestAttributes,
    private readonly settings: SpanSettings,
  ) {}

  opened({ method, round, entry }: Call): void {
    if (entry?.kind === 'tool') this.#tool = entry;
    this.span.updateName(this.attributes.spanName);
    if (round > 1) this.span.setAttribute(OWN.round, round);
    const uri = this.request.params?.['uri'];
    const shown =
      typeof uri === 'string' && method.startsWith('resources/') ? this.settings.resourceUri?.(uri) : undefined;
    if (shown !== undefined) this.span.setAttribute(ATTRIBUTES.resourceUri, shown);
  }

  judged(guard: string, verdict: Verdict): void {
    const outcome = typeof verdict === 'boolean' ? (verdict ? 'allowed' : 'refused') : 'denied';
    this.span.addEvent(OWN.guard, { [OWN.guard]: guard, [OWN.verdict]: outcome });
  }

  ended(outcome: RequestOutcome): void {
    try {
      this.#describe(outcome);
    } finally {
      // A value that cannot be recorded keeps no span open.
      this.span.end();
    }
  }

  #describe(outcome: RequestOutcome): void {
    const { span } = this;
    const { record } = this.settings;
    span.updateName(this.attributes.spanName);
    if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, ...messageOf(outcome) });
    if (outcome.kind === 'question') span.addEvent(INPUT_REQUIRED);
    span.setAttributes(this.#attributes());
    if (record && this.#tool) span.setAttributes(recordedCall(this.request, outcome, this.#tool, record));
  }

  #attributes(): Attributes {
    const { id, method, address, session, isBackground } = this.request;
    const { addresses = false, sentry = false } = this.settings;
    const { values } = this.attributes;
    return {
      ...values,
      // A span may have a method that no server has; a metric may not.
      [ATTRIBUTES.method]: method.slice(0, LONGEST),
      ...(!isBackground && { [ATTRIBUTES.requestId]: `${id}`.slice(0, LONGEST) }),
      ...(session !== undefined && { [ATTRIBUTES.session]: session }),
      ...(addresses && address !== undefined && { [ATTRIBUTES.address]: address }),
      ...(isBackground && { [OWN.isTask]: true }),
      ...(sentry && sentryAttributes(this.request, values)),
    };
  }
}

function isFailure(outcome: RequestOutcome): boolean {
  if (outcome.kind === 'error') return isServerFault(outcome.code);
  return outcome.kind === 'result' && outcome.isError;
}

/** What the client was told: never what was thrown. */
function messageOf(outcome: RequestOutcome): { readonly message?: string } {
  return outcome.kind === 'error' ? { message: `${outcome.code}` } : {};
}

/** Made of the names that exist, and of the id of the request. */
function sentryAttributes(
  { id, network }: ObservedRequest,
  { [ATTRIBUTES.tool]: tool, [ATTRIBUTES.prompt]: prompt }: Attributes,
): Attributes {
  return {
    'sentry.op': 'mcp.server',
    'sentry.origin': 'auto.function.mcp_server',
    'mcp.request.id': `${id}`,
    ...(network && { 'mcp.transport': network.transport === 'tcp' ? 'http' : 'stdio' }),
    ...(tool !== undefined && { 'mcp.tool.name': tool }),
    ...(prompt !== undefined && { 'mcp.prompt.name': prompt }),
  };
}
