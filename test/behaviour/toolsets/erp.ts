/** A server with many tools, and the toolset of search in front of them. */
import {
  createServer,
  Denial,
  Roles,
  ToolFailure,
  toolResult,
  tool,
  text,
  type McpContext,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import { searchToolset, type SearchToolsetOptions } from '@sigil-mcp/toolsets';
import { z } from 'zod';

const Approval = z.object({ ok: z.boolean() });

/** What the tools have done. */
export interface Erp {
  readonly server: Server;
  readonly done: string[];
}

/** The tools, which note what they do. */
export function erpFeatures(done: string[]): NonNullable<ServerOptions['features']> {
  return [
    tool(
      'sendInvoice',
      {
        description: 'Sends an invoice to a customer by e-mail',
        input: z.object({ customer: z.string().describe('Number of the customer'), amount: z.number() }),
        output: z.object({ invoice: z.string(), amount: z.number() }),
        destructive: false,
      },
      ({ customer, amount }) => ({ invoice: `for ${customer}`, amount }),
    ),
    tool('get_forecast', { description: 'The weather of tomorrow', readOnly: true }, () => 'Sun'),
    tool(
      'pay',
      {
        description: 'Pays an invoice',
        input: z.object({ iban: z.string().meta({ writeOnly: true }) }),
        asks: [Approval],
      },
      async ({ iban }, context) => {
        const answer = await context.elicit(Approval, 'Pay?');
        if (answer.action !== 'accept') throw new ToolFailure('Not approved.');
        await context.once('pay', () => void done.push(`paid ${iban}`));
        return 'Paid.';
      },
    ),
    tool('payroll', { description: 'Pays salaries', guards: [Roles('finance')] }, () => 'Salaries are paid.'),
    tool('archive', { description: 'Archives invoices', scopes: ['archive'] }, () => 'Archived.'),
    tool(
      'locked',
      {
        description: 'Opens the safe',
        guards: [{ allows: () => true, allowsCall: () => new Denial('The safe opens at nine.') }],
      },
      () => 'Open.',
    ),
    tool('fail', { description: 'Fails' }, () => {
      throw new ToolFailure('There is no paper.');
    }),
    tool('parts', { description: 'Answers with every part of a result' }, () =>
      toolResult({ content: [text('one'), text('two')], structured: { n: 1 }, isError: true, meta: { 'x/y': 2 } }),
    ),
    tool('steps', { description: 'Reports progress' }, async (_input: unknown, context: McpContext) => {
      await context.progress(1, 2, 'half');
      return 'Done.';
    }),
    tool('wait', { description: 'Waits until it is cancelled' }, (_input: unknown, { signal }: McpContext) => {
      done.push('waiting');
      return new Promise<string>((_, reject) =>
        signal.addEventListener('abort', () => {
          done.push('cancelled');
          reject(signal.reason as Error);
        }),
      );
    }),
  ];
}

/** The server. */
export function erp(toolset: SearchToolsetOptions = {}, options: Partial<ServerOptions> = {}): Erp {
  const done: string[] = [];
  const server = createServer({
    name: 'erp',
    version: '1.0.0',
    logger: false,
    ...options,
    features: [...erpFeatures(done), ...(options.features ?? [])],
    extensions: [searchToolset(toolset), ...(options.extensions ?? [])],
  });
  return { server, done };
}
