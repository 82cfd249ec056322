/** Payments with approval on every revision: clients that receive questions, clients that answer in rounds, and clients that cannot ask. */
import './matchers';
import './quiet';
import {
  eachRevision,
  type ConnectOptions,
  type Question,
  type RevisionCase,
  type TestClient,
} from '@sigil-mcp/testing';
import { approvalsServer } from '../src/server';

const posters = { to: 'The printer', amount: 250, purpose: 'Five hundred posters' };
const asking = { since: '2025-06-18' };

/** Answers by the first field of a form; declines a form without an answer. */
const answering =
  (said: Readonly<Record<string, Record<string, string | boolean>>>): NonNullable<ConnectOptions['answers']> =>
  ({ params }) => {
    const [field = ''] = Object.keys((params['requestedSchema'] as { properties: object }).properties);
    const content = said[field];
    return content ? { action: 'accept', content } : { action: 'decline' };
  };

const yes = answering({ sure: { sure: true } });
const messagesOf = ({ questions }: TestClient): unknown[] => questions.map(({ params }: Question) => params['message']);

/** A payment of bob that waits for grace. */
async function opened(connect: RevisionCase['connect'], answers: ConnectOptions['answers']) {
  const server = approvalsServer();
  const bob = await connect(server, { as: { id: 'bob', roles: ['approver'] }, ...(answers && { answers: yes }) });
  const grace = await connect(server, { as: { id: 'grace', roles: ['approver'] }, ...(answers && { answers }) });
  const requested = await bob.callTool('requestPayment', posters);
  return { bob, grace, requested };
}

eachRevision(
  'pays when the requester has confirmed and another user approves',
  async ({ connect }) => {
    const { bob, grace, requested } = await opened(connect, answering({ decision: { decision: 'approve' } }));
    expect(requested).toHaveStructured({ id: 1, by: 'bob', state: 'waiting' });
    expect(messagesOf(bob)).toEqual(['Pay 250.00 euros to The printer? For: Five hundred posters']);
    expect(await grace.readResource('payments://waiting')).toHaveText(/Five hundred posters/);
    await expect(grace).toListResource('payments://1', { name: '250.00 to The printer' });
    await bob.subscribe('payments://1');
    expect(await grace.callTool('decide', { id: 1 })).toHaveStructured({ state: 'paid' });
    expect(messagesOf(grace)).toEqual(['bob asks for 250.00 euros to The printer. For: Five hundred posters']);
    await bob.waitForNotification('notifications/resources/updated');
    expect(await bob.readResource('payments://1')).toHaveText(/"state":\s*"paid"/);
    expect(await grace.callTool('decide', { id: 1 })).toBeToolError(
      'Payment 1 is paid already. There is nothing to decide.',
    );
  },
  asking,
);

eachRevision(
  'pays small amounts without an approver, and nothing without a yes',
  async ({ connect }) => {
    const server = approvalsServer();
    const bob = await connect(server, { as: 'bob', answers: yes });
    expect(await bob.callTool('requestPayment', { ...posters, amount: 100 })).toHaveStructured({
      id: 1,
      state: 'paid',
    });
    for (const answers of [answering({}), answering({ sure: { sure: false } })]) {
      const client = await connect(server, { as: 'bob', answers });
      expect(await client.callTool('requestPayment', posters)).toBeToolError(/^The user did not confirm it/);
    }
    await expect(bob.readResource('payments://2')).rejects.toBeRpcError();
  },
  asking,
);

eachRevision(
  'asks for the reason of a rejection, until there is one',
  async ({ connect }) => {
    const rejecting = answering({ decision: { decision: 'reject' }, reason: { reason: 'Too many.' } });
    const { grace } = await opened(connect, rejecting);
    expect(await grace.callTool('decide', { id: 1 })).toHaveStructured({ state: 'rejected', reason: 'Too many.' });
    expect(messagesOf(grace)).toEqual([expect.any(String), 'Why is payment 1 rejected?']);

    const silent = await opened(connect, answering({ decision: { decision: 'reject' } }));
    expect(await silent.grace.callTool('decide', { id: 1 })).toBeToolError(
      /still waits: it cannot be rejected without a reason/,
    );
    const away = await opened(connect, answering({}));
    expect(await away.grace.callTool('decide', { id: 1 })).toBeToolError(
      'Payment 1 still waits: there is no decision yet.',
    );
    expect(await away.grace.callTool('decide', { id: 9 })).toBeToolError(
      /There is no payment 9\. The resource payments:\/\/waiting/,
    );
  },
  asking,
);

eachRevision(
  'refuses a decision on the own payment, and says who can decide',
  async ({ connect }) => {
    const { bob } = await opened(connect, yes);
    const own = bob.callTool('decide', { id: 1 });
    await expect(own).rejects.toBeRpcError(undefined, 'You cannot decide on your own payment. Ask another approver.');
    expect(bob.questions).toHaveLength(1);
  },
  asking,
);

eachRevision('shows the tool to every caller, and tells those without the role what to do', async ({ connect }) => {
  const eve = await connect(approvalsServer(), { as: 'eve' });
  await expect(eve).toListTool('decide');
  const refused = eve.callTool('decide', { id: 1 });
  await expect(refused).rejects.toBeRpcError(
    undefined,
    'Only approvers decide on payments. Ask a user with the role "approver"',
  );
  await expect(eve.callTool('decide', { id: 1 })).rejects.toMatchObject({ data: { role: 'approver' } });
});

eachRevision('does not let a model answer for its user if the client cannot ask', async ({ connect }) => {
  const { requested, grace } = await opened(connect, undefined);
  expect(requested).toBeToolError(/People confirm payments, and this client cannot ask them/);
  expect(await grace.callTool('decide', { id: 1 })).toBeToolError(/Use one that can: MCP 2025-06-18 or newer/);
});
