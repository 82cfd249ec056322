/** What docs/limits.md shows of rates is so. */
import { createServer } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { Reports } from './limits';

it('lets ten calls through, and refuses the eleventh with the seconds after which there is room again', async () => {
  const server = createServer({ name: 'reports', version: '1.0.0', features: [Reports], logger: false });
  const client = await connect(server);
  const report = () => client.callTool('report', { about: 'rain' });
  for (let calls = 0; calls < 10; calls++)
    expect(await report()).toMatchObject({ content: [{ text: 'All about rain' }] });
  await expect(report()).rejects.toThrow(/Try again in \d+ s\./);
  await client.close();
  await server.close();
});
