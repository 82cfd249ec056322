/** The guards of Nest as a guard of an entry: lists, subscriptions, completions and extensions ask them, too. */
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

  /** @param warn logs a sentence, once */
  constructor(
    private readonly guards: GuardsOfHandler,
    private readonly warn: (sentence: string) => void,
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
      this.warn(failureOf(entry, error));
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
}

function failureOf({ kind }: EntryFacts, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof TypeError ? CAUSES : '';
  return `A guard of Nest failed without a call, so lists leave out every ${kind} that it guards: ${reason}.${cause}`;
}

const CAUSES =
  ' Does it look at arguments? Without a call McpExecutionContext.getData() is an empty object, and getCall() undefined.' +
  " Does it set headers of a response? Then it belongs in endpointGuards, or returns true if context.getType() is 'mcp'.";
