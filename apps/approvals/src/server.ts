/** The server's definition: payments that people confirm and approve. */
import { createServer, type Server } from '@sigil-mcp/core';
import { PaymentResources } from './payments/payment-resources';
import { PaymentTools } from './payments/payment-tools';
import { Payments } from './payments/payments';

/** Payments of its own, in memory: each test has some. */
export function approvalsServer(): Server {
  return createServer({
    name: 'approvals',
    version: '0.1.0',
    title: 'Payments with approval',
    strict: true,
    instructions: 'Whoever asks for a payment confirms it; above 100 an approver decides, who is somebody else.',
    features: [PaymentTools, PaymentResources],
    providers: [Payments],
  });
}

/** The one that `sigil inspect` and `sigil dev` look at. */
export const server = approvalsServer();
