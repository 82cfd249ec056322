/** The tools: the user confirms a payment, and an approver decides on it. The model cannot answer for them. */
import { Denial, Feature, McpContext, Tool, ToolFailure, UseGuards } from '@sigil-mcp/core';
import { Approvers } from './approvers';
import { NewPayment, Payment, PaymentId } from './payment';
import { Payments } from './payments';
import { Confirmation, Decision, Reason } from './questions';

/** Built once per server. */
@Feature()
export class PaymentTools {
  constructor(private readonly payments: Payments) {}

  @Tool('Asks for a payment, after the user has confirmed it. Above 100 euros it waits for an approver.', {
    output: Payment,
    asks: [Confirmation],
  })
  async requestPayment(wanted: NewPayment, context: McpContext): Promise<Payment> {
    checkCanAsk(context);
    const { to, amount, purpose } = wanted;
    const answer = await context.elicit(Confirmation, `Pay ${amount.toFixed(2)} euros to ${to}? For: ${purpose}`);
    if (answer.action !== 'accept' || !answer.content.sure)
      throw new ToolFailure('The user did not confirm it, and nothing is paid. Ask what should be different.');
    // Ask first, act after: the code below runs once for an answer, and `onceId` recognizes an answer that is sent twice.
    return this.payments.add(context.onceId('payment'), wanted, context.caller.id);
  }

  @Tool('Asks an approver to decide on a payment that waits.', {
    output: Payment,
    destructive: true,
    asks: [Decision, Reason],
  })
  @UseGuards(Approvers)
  async decide({ id }: PaymentId, context: McpContext): Promise<Payment> {
    checkCanAsk(context);
    const { by, to, amount, purpose } = this.#waiting(id);
    if (by === context.caller.id)
      throw new Denial('You cannot decide on your own payment. Ask another approver.', { data: { payment: id } });
    const question = `${by} asks for ${amount.toFixed(2)} euros to ${to}. For: ${purpose}`;
    const answer = await context.elicit(Decision, question);
    if (answer.action !== 'accept') throw new ToolFailure(`Payment ${id} still waits: there is no decision yet.`);
    const { decision, reason = '' } = answer.content;
    if (decision === 'reject' && reason === '') return this.#reject(id, context);
    // Another approver may have decided in the meantime, so the payment is looked up again.
    return this.payments.settle(
      this.#waiting(id),
      decision === 'approve' ? { state: 'paid' } : { state: 'rejected', reason },
    );
  }

  async #reject(id: number, context: McpContext): Promise<Payment> {
    const answer = await context.elicit(Reason, `Why is payment ${id} rejected?`);
    if (answer.action !== 'accept')
      throw new ToolFailure(`Payment ${id} still waits: it cannot be rejected without a reason.`);
    return this.payments.settle(this.#waiting(id), { state: 'rejected', reason: answer.content.reason });
  }

  #waiting(id: number): Payment {
    const payment = this.payments.find(id);
    if (!payment)
      throw new ToolFailure(`There is no payment ${id}. The resource payments://waiting lists the payments that wait.`);
    if (payment.state !== 'waiting')
      throw new ToolFailure(`Payment ${id} is ${payment.state} already. There is nothing to decide.`);
    return payment;
  }
}

/** The approval has no value if a model can confirm for its user. */
function checkCanAsk({ client }: McpContext): void {
  if (client.capabilities.elicitation) return;
  throw new ToolFailure(
    'People confirm payments, and this client cannot ask them. Use one that can: MCP 2025-06-18 or newer, with elicitation.',
  );
}
