/** The server's definition: payments that people confirm and approve. */
import { createServer, type Server } from '@sigil-mcp/core';
import { PaymentResources } from './payments/payment-resources';
import { PaymentTools } from './payments/payment-tools';
import { Payments } from './payments/payments';

/** A server with its own payments, in memory. Each test creates one. */
export function approvalsServer(): Server {
  return createServer({
    name: 'approvals',
    version: '0.1.0',
    title: 'Payments with approval',
    strict: true,
    instructions:
      'The user who asks for a payment confirms it. Above 100 euros another user, who is an approver, decides.',
    features: [PaymentTools, PaymentResources],
    providers: [Payments],
  });
}

/** The instance that `sigil inspect` and `sigil dev` read. */
export const server = approvalsServer();
