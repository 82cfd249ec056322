/** The server that the README shows, built and spawned as it stands there. */
import { stdioJudges } from './judges';

describe.each(stdioJudges)("the README's server, driven by $title", ({ open, revision }) => {
  it('lists the default, uses it, and tells a model what is wrong', async () => {
    const client = await open('weather', 'quickstart.js');
    try {
      expect(client.revision).toBe(revision);
      const { tools } = await client.listTools();
      expect(tools).toMatchObject([{ name: 'findBooks', inputSchema: { properties: { limit: { default: 5 } } } }]);
      expect(await client.callTool('findBooks', { words: 'M' })).toMatchObject({
        structuredContent: { titles: ['Middlemarch', 'Moby-Dick'] },
      });
      expect(await client.callTool('findBooks', { words: 'M', limit: 1 })).toMatchObject({
        structuredContent: { titles: ['Middlemarch'] },
      });
      expect(await client.callTool('findBooks', { words: 'M', limit: 50 })).toMatchObject({
        isError: true,
        content: [{ text: 'Invalid arguments: limit: must not be greater than 20' }],
      });
    } finally {
      await client.close();
    }
  });
});
