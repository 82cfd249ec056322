/** What spans and metrics say of a request: names that exist, and nothing that a client made up. */
import type { Call, ObservedRequest, RequestOutcome } from '@sigil-mcp/core';
import type { Attributes } from '@opentelemetry/api';
import { ATTRIBUTES, EXECUTE_TOOL, OTHER, OWN, TOOL_ERROR } from '../conventions';

const { method: METHOD, errorType, statusCode } = ATTRIBUTES;
const CANCELLED = 'cancelled';
/** Internal error, of JSON-RPC. */
const INTERNAL_ERROR = -32603;

/** The attributes of one request: method, tool, prompt, outcome, as they become known. */
export class RequestAttributes {
  /** The method, once the server has found it. */
  #method = OTHER;
  #entry: Attributes = {};
  #target: string | undefined;
  #outcome: Attributes = {};

  constructor(private readonly request: ObservedRequest) {}

  /** The server has the method, and perhaps a tool or prompt of that name. */
  opened({ method, entry, alias }: Call): void {
    this.#method = method;
    const name = entry?.key;
    if (method === 'tools/call') this.#entry[ATTRIBUTES.operation] = EXECUTE_TOOL;
    if (name === undefined || (method !== 'tools/call' && method !== 'prompts/get')) return;
    this.#target = name;
    if (alias !== undefined) this.#entry[OWN.alias] = alias;
    this.#entry[method === 'tools/call' ? ATTRIBUTES.tool : ATTRIBUTES.prompt] = name;
  }

  ended(outcome: RequestOutcome): void {
    this.#outcome = outcomeAttributes(outcome);
  }

  /** The name of the span. */
  get spanName(): string {
    return this.#target === undefined ? this.#method : `${this.#method} ${this.#target}`;
  }

  /** What a metric may have: each takes one of a few values. */
  get values(): Attributes {
    const { revision, network } = this.request;
    const values: Attributes = { [METHOD]: this.#method, [ATTRIBUTES.protocolVersion]: revision };
    if (network) values[ATTRIBUTES.transport] = network.transport;
    if (network?.protocol) values[ATTRIBUTES.protocol] = network.protocol;
    return Object.assign(values, this.#entry, this.#outcome);
  }
}

/** The attributes of an outcome. */
export function outcomeAttributes(outcome: RequestOutcome): Attributes {
  switch (outcome.kind) {
    case 'result':
      return outcome.isError ? { [errorType]: TOOL_ERROR } : {};
    case 'error':
      return errorAttributes(outcome);
    case 'cancelled':
      return { [errorType]: CANCELLED };
    case 'question':
      return {};
  }
}

/** The attributes of an error that was sent. */
export function errorAttributes({
  code,
  limit,
}: {
  readonly code: number;
  readonly limit: string | undefined;
}): Attributes {
  return { [errorType]: `${code}`, [statusCode]: `${code}`, ...(limit !== undefined && { [OWN.limit]: limit }) };
}

/** Whether an error is the fault of the server. All other codes of the revisions, regardless of their numbers, say what a client has to change. */
export function isServerFault(code: number): boolean {
  return code === INTERNAL_ERROR;
}
