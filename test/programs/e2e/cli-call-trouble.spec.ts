/** `sigil call` where the server takes too long, or says less than its log. */
import { ManualClock } from '@sigil-mcp/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sigil } from './terminal';

jest.setTimeout(150_000);

/** A server of nobody's making that reports progress for ever, and one failure that only its log explains. */
const SLOW = `
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const ANSWERS = {
  unstructured: { content: [] },
  wrong: { content: [], structuredContent: { n: 'one' } },
  failed: { content: [{ type: 'text', text: 'No.' }], isError: true },
  right: { content: [], structuredContent: { n: 1 }, isError: false },
  blank: { content: [{ type: 'text' }] },
  new: { content: [{ type: 'hologram', size: 3 }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const capabilities = { tools: {}, prompts: {} };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'slow', version: '1' } } });
  } else if (method === 'tools/list') send({ id, result: { tools: [tool('crawl'), tool('fail'), ...Object.keys(ANSWERS).map((name) => ({ ...tool(name), ...(name !== 'new' && { outputSchema }) }))] } });
  else if (params?.name === 'crawl') {
    let progress = 0;
    const { progressToken } = params._meta;
    setInterval(() => send({ method: 'notifications/progress', params: { progressToken, progress: ++progress } }), 200);
  } else if (params?.name === 'fail') {
    const text = "Tool fail failed. The server's log has the details.";
    send({ id, result: { content: [{ type: 'text', text }], isError: true } });
  } else if (method === 'prompts/list') send({ id, result: { prompts: [{ name: 'ask', description: 7 }] } });
  else if (params?.name in ANSWERS) send({ id, result: ANSWERS[params.name] });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});
`;

let folder: string;
let slow: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-'));
  slow = join(folder, 'slow.mjs');
  writeFileSync(slow, SLOW);
});
afterEach(() => rmSync(folder, { recursive: true }));

it('holds a call to its deadline that reports progress all the time', async () => {
  const clock = new ManualClock();
  const onStderr = (text: string): void => void (text.includes('progress 2') && clock.advance(1000));
  const { status, stderr } = await sigil(['call', slow, 'crawl', '--timeout', '1'], { clock, onStderr });
  expect({ status, stderr }).toEqual({
    status: 4,
    stderr: expect.stringMatching(
      /^(progress \d+\n){2,}The answer did not arrive in time\. \[SIGIL_CLI_ANSWER_LATE\]\nAllow more time with --timeout <seconds>\.\n$/,
    ),
  });
});

it('says how to see the log that a failure speaks of, where it is not seen', async () => {
  const stdout = "Tool fail failed. The server's log has the details.\n";
  expect(await sigil(['call', slow, 'fail'])).toEqual({
    status: 1,
    stdout,
    stderr: 'Repeat this with --verbose to see its log.\n',
  });
  expect(await sigil(['call', slow, 'fail', '--verbose'])).toEqual({ status: 1, stdout, stderr: '' });
});

it.each([
  [
    'unstructured',
    3,
    'Tool unstructured has an output schema but did not return structured content (-32600). [SIGIL_CLI_ANSWER_ERROR]',
  ],
  [
    'wrong',
    3,
    "Structured content does not match the tool's output schema: data/n must be number (-32602). [SIGIL_CLI_ANSWER_ERROR]",
  ],
  [
    'blank',
    3,
    "The server's answer violates the protocol: result.content[0].text must be a string. [SIGIL_CLI_ANSWER_INVALID]",
  ],
  ['failed', 1, ''],
  ['right', 0, ''],
])('checks what a tool answers as hosts do: %s', async (name, status, said) => {
  const ran = await sigil(['call', slow, name]);
  expect([ran.status, ran.stderr]).toEqual([status, said === '' ? '' : expect.stringContaining(said)]);
});

it('prints the result as it was sent, also what it does not know', async () => {
  expect((await sigil(['call', slow, 'new'])).stdout).toBe('{"type":"hologram","size":3}\n');
  expect(JSON.parse((await sigil(['call', slow, 'new', '--json'])).stdout)).toEqual({
    content: [{ type: 'hologram', size: 3 }],
  });
});

it.each([['inspect'], ['prompt', 'ask']])('says which text cannot be shown (sigil %s)', async (command, ...words) => {
  const { status, stderr } = await sigil([command, slow, ...words]);
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr: expect.stringContaining('violates the protocol: the description of an entry must be a string.'),
  });
});
