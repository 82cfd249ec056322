/** The programs that docs/http.md shows, run as they stand there. */
import { HttpApp } from './http-app';
import { httpJudges } from './judges';

const programs = [
  { program: 'quickstart-http.js', other: 404 },
  { program: 'inside-fastify.js', other: 200 },
  { program: 'inside-express.js', other: 200 },
  { program: 'fetch-handler.js', other: 404 },
];

describe.each(programs)('$program of docs/http.md', ({ program, other }) => {
  it.each(httpJudges)('serves $title, and nothing of MCP beside its endpoint', async ({ connect, revision }) => {
    const app = await HttpApp.start('weather', {}, program);
    const client = await connect(new URL('/mcp', app.url).href);
    expect(client.revision).toBe(revision);
    expect(await client.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
    expect((await fetch(new URL('/', app.url))).status).toBe(other);
    await client.close();
    app.kill('SIGKILL');
    await app.exit;
  });
});
