/** The payments, in memory; a database would go here. */
import { Injectable, Server } from '@sigil-mcp/core';
import type { NewPayment, Payment } from './payment';

/** Above this amount, in euros, another user has to approve. */
export const NEEDS_APPROVAL = 100;

/** Built once per server; notifies the clients that subscribed to a payment. */
@Injectable()
export class Payments {
  readonly #payments: Payment[] = [];
  /** The payment that each call created: a client may send the same answers twice. */
  readonly #byCall = new Map<string, Payment>();

  constructor(private readonly server: Server) {}

  find(id: number): Payment | undefined {
    return this.#payments[id - 1];
  }

  waiting(): Payment[] {
    return this.#payments.filter(({ state }) => state === 'waiting');
  }

  /** @param call the same for every attempt of one call, so that one call creates one payment */
  add(call: string, { to, amount, purpose }: NewPayment, by: string): Payment {
    const known = this.#byCall.get(call);
    if (known) return known;
    const state = amount > NEEDS_APPROVAL ? 'waiting' : 'paid';
    const payment: Payment = { id: this.#payments.length + 1, to, amount, purpose, by, state };
    this.#payments.push(payment);
    this.#byCall.set(call, payment);
    return payment;
  }

  settle(payment: Payment, end: Pick<Payment, 'state' | 'reason'>): Payment {
    Object.assign(payment, end);
    this.server.notifyResourceChanged(`payments://${payment.id}`);
    return payment;
  }
}
