/** The resources: the payments that wait, and the state of each payment. Clients that subscribe are notified of a decision. */
import { Feature, ListTemplate, Resource, type ListedResources } from '@sigil-mcp/core';
import { PaymentId, type Payment } from './payment';
import { Payments } from './payments';

/** Built once per server. */
@Feature()
export class PaymentResources {
  constructor(private readonly payments: Payments) {}

  @Resource('payments://waiting', { title: 'Payments that wait for an approver', mimeType: 'application/json' })
  waiting(): Payment[] {
    return this.payments.waiting();
  }

  @Resource('payments://{id}', {
    title: 'A payment',
    description: 'A payment and its state',
    mimeType: 'application/json',
  })
  payment({ id }: PaymentId): Payment | undefined {
    return this.payments.find(id);
  }

  @ListTemplate('payment')
  listed(): ListedResources['resources'] {
    return this.payments
      .waiting()
      .map(({ id, to, amount }) => ({ variables: { id: String(id) }, name: `${amount.toFixed(2)} to ${to}` }));
  }
}
