/** The examples that people copy, built and driven by the official clients, which are asked and hold answers against schemas. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtApp } from './built-app';
import { stdioJudges } from './judges';
import type { AnswerAsked, OfficialClient } from './official-client';

jest.setTimeout(150_000);

const sources = join(__dirname, '..', '..', '..', 'apps', 'files', 'src');

describe.each(stdioJudges)('with $title', ({ spawn }) => {
  const open: OfficialClient[] = [];
  const meet = async (app: string, answer: AnswerAsked): Promise<OfficialClient> => {
    const client = await spawn(builtApp(app), answer);
    open.push(client);
    await client.listTools(); // from now on the client checks structured content against the listed schemas
    return client;
  };
  afterEach(async () => void (await Promise.all(open.splice(0).map((client) => client.close()))));

  it('a payment is confirmed by one form, and approved by nobody who asked for it', async () => {
    const client = await meet('approvals', () => ({ action: 'accept', content: { sure: true } }));
    const wanted = { to: 'The printer', amount: 250, purpose: 'Five hundred posters' };
    expect(await client.callTool('requestPayment', wanted)).toMatchObject({
      structuredContent: { ...wanted, id: 1, state: 'waiting' },
    });
    await expect(client.callTool('decide', { id: 1 })).rejects.toThrow('You cannot decide on your own payment.');
    const { contents } = await client.readResource('payments://1');
    expect(contents).toMatchObject([{ mimeType: 'application/json', text: expect.stringContaining('waiting') }]);
  });

  it('files are found where the client works, and nowhere else', async () => {
    const client = await meet('files', () => ({ roots: [{ uri: pathToFileURL(sources).href }] }));
    expect(await client.callTool('findFiles', { text: 'git' })).toMatchObject({
      structuredContent: { files: ['git/git-tools.ts', 'git/git.ts', 'git/history.ts'], more: false },
    });
    expect(await client.callTool('readFile', { path: '../package.json' })).toMatchObject({ isError: true });
    expect(await client.readResource('files:///main.ts')).toMatchObject({ contents: [{ uri: 'files:///main.ts' }] });
  });
});
