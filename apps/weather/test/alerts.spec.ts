// Runs the examples of the guides.
// #region testing
import { connect, eachRevision } from '@sigil-mcp/testing';
import { alertsServer } from '../src/alerts';

const answers = ({ method }: { method: string }) =>
  method === 'elicitation/create'
    ? { action: 'accept', content: { ok: true, level: 'danger', channels: ['siren'] } }
    : { role: 'assistant', content: { type: 'text', text: 'Stay inside.' }, model: 'test' };

eachRevision(
  'warns when the user confirms',
  async ({ connect }) => {
    const client = await connect(alertsServer, { capabilities: { elicitation: {}, sampling: {} }, answers });
    const result = await client.callTool('buyAlert', { city: 'Oslo' });
    expect(result).toMatchObject({ content: [{ text: 'Everyone in Oslo is warned. Stay inside.' }] });
    expect(client.questions.map(({ method }) => method)).toEqual(['elicitation/create', 'sampling/createMessage']);
  },
  { since: '2025-11-25' },
);
// #endregion testing

describe('the examples', () => {
  it('ask before they act, and accept a no', async () => {
    const client = await connect(alertsServer, {
      capabilities: { elicitation: {} },
      answers: () => ({ action: 'decline' }),
    });
    expect(await client.callTool('alert', { city: 'Oslo' })).toMatchObject({
      isError: true,
      content: [{ text: 'Not confirmed.' }],
    });
    await client.close();
  });

  eachRevision('work with a model that answers, and with roots', async ({ connect }) => {
    const client = await connect(alertsServer, {
      capabilities: { sampling: {}, roots: {} },
      answers: ({ method }) =>
        method === 'roots/list'
          ? { roots: [{ uri: 'file:///notes' }] }
          : { role: 'assistant', content: { type: 'text', text: 'A storm.' }, model: 'test' },
    });
    expect(await client.callTool('draft', { city: 'Oslo' })).toMatchObject({ content: [{ text: 'A storm.' }] });
    const { messages } = await client.getPrompt('plan', { city: 'Oslo' });
    expect(JSON.stringify(messages)).toContain('file:///notes');
  });

  it('fall back if the client refuses', async () => {
    const client = await connect(alertsServer, { revision: '2025-06-18', capabilities: { sampling: {} } });
    expect(await client.callTool('draft', { city: 'Oslo' })).toMatchObject({
      content: [{ text: 'A storm is near Oslo.' }],
    });
    await client.close();
  });

  it('learn new tools', async () => {
    const client = await connect(alertsServer);
    await client.callTool('learn', { city: 'Oslo' });
    expect(await client.callTool('greet-oslo', { name: 'Ada' })).toMatchObject({
      content: [{ text: 'Hello from Oslo, {"name":"Ada"}!' }],
    });
    await client.close();
  });
});
