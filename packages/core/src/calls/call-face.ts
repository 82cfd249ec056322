/** The face of a running call that guards and interceptors hold: what they may know, and nothing that drives the call. */
import type { Method } from '@sigil-mcp/protocol';
import type { Clock } from '@sigil-mcp/base';
import type { Call } from '../context/call';
import type { EntryFacts, FacedEntry } from '../context/entry-facts';
import type { McpContext } from '../context/mcp-context';
import type { RateStore } from '../stores/stores';

/** A call whose entry is more than its face. */
export type CallBehindFace = Omit<Call, 'entry' | 'alias'> & { readonly entry: FacedEntry | undefined };

/** Made on first use, once for each call. */
export class CallFace implements Call {
  readonly #call: CallBehindFace;

  constructor(call: CallBehindFace) {
    this.#call = call;
  }

  get method(): Method {
    return this.#call.method;
  }

  get entry(): EntryFacts | undefined {
    return this.#call.entry?.face;
  }

  get alias(): string | undefined {
    return this.#call.entry?.alias;
  }

  get arguments(): unknown {
    return this.#call.arguments;
  }

  get input(): unknown {
    return this.#call.input;
  }

  get round(): number {
    return this.#call.round;
  }

  get isBackground(): boolean {
    return this.#call.isBackground;
  }

  get session(): object | undefined {
    return this.#call.session;
  }

  get address(): string | undefined {
    return this.#call.address;
  }

  get rates(): RateStore {
    return this.#call.rates;
  }

  get clock(): Clock {
    return this.#call.clock;
  }

  get context(): McpContext {
    return this.#call.context;
  }
}
