/** `npm run toolsets`: what the tools of a server with 1,000 tools cost a model, in tokens, with and without a toolset. */
import { setImmediate as turn } from 'node:timers/promises';
import { createServer, type Extension } from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { searchToolset } from '@sigil-mcp/toolsets';
import { codeToolset } from '@sigil-mcp/toolsets/code';
import { encode } from 'gpt-tokenizer';
import { manyTools } from './many-tools';

const QUERIES = ['cancel an invoice in billing', 'approve travel request', 'who has to assign the support ticket?'];

/** The tools of all pages of the list, as a host gives them to a model: name, description and schema of arguments. */
async function listTokens(client: TestClient): Promise<number> {
  let tokens = 0;
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor });
    for (const { name, description, inputSchema } of tools)
      tokens += encode(JSON.stringify({ name, description, inputSchema })).length;
    cursor = nextCursor;
  }
  return tokens;
}

async function opened(
  extensions: readonly Extension<object>[],
): Promise<{ client: TestClient; close(): Promise<void> }> {
  const server = createServer({ name: 'many', version: '1.0.0', logger: false, features: manyTools(), extensions });
  const client = await connect(server);
  return { client, close: () => server.close() };
}

const row = (what: string, figure: string): void =>
  void process.stdout.write(`${what.padEnd(46)}${figure.padStart(12)}\n`);
const counted = (tokens: number): string => `${tokens.toLocaleString('en')} tokens`;

async function main(): Promise<void> {
  const plain = await opened([]);
  row('the list of 1,000 tools', counted(await listTokens(plain.client)));
  await plain.close();

  const search = await opened([searchToolset()]);
  row('the list with searchToolset()', counted(await listTokens(search.client)));
  for (const query of QUERIES) {
    const begun = performance.now();
    const { content } = await search.client.callTool('search_tools', { query });
    const milliseconds = performance.now() - begun;
    const [{ text }] = content as unknown as [{ text: string }];
    const [first] = (JSON.parse(text) as { tools: { name: string }[] }).tools;
    row(`search "${query}"`, `${counted(encode(text).length)}, ${milliseconds.toFixed(1)} ms, first: ${first?.name}`);
  }
  await search.close();
  await measureScripts();
}

const SCRIPT = `const [one, two] = await Promise.all([
  tools.get_billing_invoice({ id: '1' }),
  tools.get_sales_order({ id: '2' }),
]);
return [one.status, two.status];`;

/** Scripts that are run one after the other; a number is the first argument of the program. */
const RUNS = Number(process.argv[2] ?? 100);

async function measureScripts(): Promise<void> {
  const { client, close } = await opened([codeToolset()]);
  row('the list with codeToolset()', counted(await listTokens(client)));
  const run = async (code: string): Promise<number> => {
    const begun = performance.now();
    const { isError, content } = await client.callTool('run_code', { code });
    if (isError === true) throw new Error(JSON.stringify(content));
    return performance.now() - begun;
  };
  row('the first script, which starts the compiler', `${(await run(SCRIPT)).toFixed(0)} ms`);
  const times: number[] = [];
  const memory = [process.memoryUsage().rss];
  for (let count = 0; count < RUNS; count++) {
    times.push(await run(SCRIPT));
    if (count === Math.floor(RUNS / 2)) memory.push(process.memoryUsage().rss);
  }
  const [before = 0, middle = 0] = memory;
  const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  row(`a script with two calls, median of ${RUNS}`, `${median(times).toFixed(0)} ms`);
  row('memory of the process: before, halfway, after', [before, middle, process.memoryUsage().rss].map(mib).join(', '));
  const delays: number[] = [];
  let isOver = false;
  const busy = client.callTool('run_code', { code: 'for (;;);' }).finally(() => (isOver = true));
  while (!isOver) {
    const begun = performance.now();
    await client.request('tools/list', {});
    delays.push(performance.now() - begun);
    await turn();
  }
  await busy;
  row(
    'a list while a script loops, median and longest',
    `${median(delays).toFixed(2)} ms, ${Math.max(...delays).toFixed(1)} ms`,
  );
  await close();
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
