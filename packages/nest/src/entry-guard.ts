/** The guards of Nest as a guard of an entry: lists, subscriptions, completions and extensions ask them, too. */
import { Logger } from '@nestjs/common';
import {
  Denial,
  type Access,
  type Call,
  type EntryFacts,
  type Guard,
  type McpContext,
  type Verdict,
} from '@sigil-mcp/core';
import type { McpRequest } from './call-contexts';
import { argumentsOf, withoutCall, type McpArguments } from './execution-context';
import { refusalOf, toldError } from './told-error';

/** Composes the arguments of guards for the request of a context. */
export type ArgumentsFor = (request: McpRequest) => McpArguments;

/** Asks the guards of one handler. Rejects with what the first of them throws that refuses. */
export interface GuardsOfHandler {
  /** Inside of the exception filters of the handler, which may throw another refusal instead. */
  ofCall(context: McpContext, argumentsFor: ArgumentsFor): Promise<unknown>;
  /** Without them. */
  withoutCall(context: McpContext, argumentsFor: ArgumentsFor): Promise<unknown>;
}

/** Made once for each handler. */
export class NestGuard implements Guard {
  /** A guard of Nest may count, and finds the arguments in a call alone. */
  readonly asksCalls = 'instead';
  #isWarned = false;

  /** @param name of the handler, for the log */
  constructor(
    private readonly name: string,
    private readonly guards: GuardsOfHandler,
  ) {}

  async allows(access: Access, entry: EntryFacts): Promise<Verdict> {
    // All that asks is a request, whose context it is; programs that explain rights have the part that guards need.
    const context = access as McpContext;
    try {
      await this.guards.withoutCall(context, (request) => withoutCall(context, request, entry));
      return true;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return new Denial(refusal);
      this.#warn(entry, error);
      return false;
    }
  }

  async allowsCall(call: Call): Promise<Verdict> {
    try {
      await this.guards.ofCall(call.context, (request) => argumentsOf(call, request));
      return true;
    } catch (error) {
      throw toldError(error, call.entry?.kind);
    }
  }

  #warn({ kind, key }: EntryFacts, error: unknown): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn(
      `A guard of ${this.name} failed without a call, so the ${kind} ${key} is hidden there: ${reason}. ` +
        'Does it look at arguments? In lists McpExecutionContext.getCall() is undefined and getData() is an empty object.',
    );
  }
}

const log = new Logger('MCP');
