/** What `docs/functions.md` says of the server that it shows. */
import { connect } from '@sigil-mcp/testing';
import { orderPaper, sailing, server } from './function-guide';

it('the guide to functions shows a server that runs', async () => {
  const client = await connect(server, { answers: () => ({ action: 'accept', content: { sure: true } }) });
  expect(await client.callTool('takeNote', { title: 'bread' })).toMatchObject({ structuredContent: { count: 2 } });
  expect(await client.callTool('takeNote', { text: 'x' })).toMatchObject({
    isError: true,
    content: [{ text: 'Invalid arguments: title: is required' }],
  });
  expect(await client.callTool('dropNote', { title: 'bread' })).toMatchObject({ content: [{ text: 'Gone.' }] });
  expect(await client.readResource('note://milk')).toMatchObject({ contents: [{ text: 'Buy two bottles.' }] });
  expect(await client.listResources()).toMatchObject({ resources: [{ uri: 'note://milk', name: 'milk' }] });
  expect(await client.getPrompt('summary', { style: 'short', most: '3' })).toMatchObject({
    messages: [{ content: { text: 'Sum up at most 3 of my notes, short: milk' } }],
  });
  expect(orderPaper).toMatchObject({ kind: 'tool', name: 'orderPaper', concurrency: 1 });
  await client.close();
  const sailor = await connect(sailing);
  expect(await sailor.callTool('beaufort', { speed: 28, unit: 'kn' })).toMatchObject({ content: [{ text: '7' }] });
  await sailor.close();
  await sailing.close();
  await server.close();
});
