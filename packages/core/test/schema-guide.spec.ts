/** What `docs/schemas.md` says of the schemas that it shows. */
import { connect } from '@sigil-mcp/testing';
import { createServer } from '../src';
import { PlanFeature, SearchFeature, TravelFeature, WordsFeature, schemaOfPoint } from './schema-guide';

it('the guide to schemas shows what runs', async () => {
  const features = [TravelFeature, WordsFeature, SearchFeature, PlanFeature];
  const client = await connect(createServer({ name: 'guide', version: '1.0.0', features, logger: false }));
  const { structuredContent } = await client.callTool('price', { city: 'Oslo', day: '2026-07-01' });
  expect(structuredContent).toEqual({ total: 360, currency: 'EUR' });
  expect(await client.callTool('price', { city: 'O', day: '2026-07-01' })).toMatchObject({
    isError: true,
    content: [{ text: 'Invalid arguments: city: must have at least 2 characters' }],
  });
  expect(await client.callTool('count', { from: 'Oslo', stops: ['Bergen'] })).toMatchObject({
    content: [{ text: '1' }],
  });
  expect(await client.callTool('reverse', { word: 'saw' })).toMatchObject({ content: [{ text: 'was' }] });
  expect(await client.callTool('search', { query: 'cats' })).toMatchObject({
    content: [{ text: '20 newest books about cats' }],
  });
  expect(await client.getPrompt('plan', { month: 'May', days: '3' })).toMatchObject({
    messages: [{ content: { text: 'Plan 3 days of May.' } }],
  });
  expect(schemaOfPoint('{"type":"object"}')).toEqual({ type: 'object' });
  await client.close();
});
