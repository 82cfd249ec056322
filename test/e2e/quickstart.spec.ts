/** The server that the README shows, built and spawned as it stands there. */
import { stdioJudges } from './judges';

describe.each(stdioJudges)("the README's server, driven by $title", ({ open, revision }) => {
  it('lists the default, uses it, and tells a model what is wrong', async () => {
    const client = await open('weather', 'quickstart.js');
    try {
      expect(client.revision).toBe(revision);
      const { tools } = await client.listTools();
      expect(tools).toMatchObject([{ name: 'windChill', inputSchema: { properties: { wind: { default: 20 } } } }]);
      expect(await client.callTool('windChill', { temperature: -10 })).toMatchObject({
        structuredContent: { feelsLike: -18 },
      });
      expect(await client.callTool('windChill', { temperature: -10, wind: 60 })).toMatchObject({
        structuredContent: { feelsLike: -23 },
      });
      expect(await client.callTool('windChill', { temperature: 50 })).toMatchObject({ isError: true });
    } finally {
      await client.close();
    }
  });
});
