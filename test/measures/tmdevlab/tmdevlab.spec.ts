/** The entries of `bench/tmdevlab` fulfil the contract of that benchmark, and its load notices one that does not. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { describeWith } from '../../support/supplies/supply';

const root = join(__dirname, '..', '..', '..');
const bench = join(root, 'bench', 'tmdevlab');
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const run = promisify(execFile);

/** Runs a module of the load, which the loader of jest does not read, and returns what the expression gives. */
async function evaluate<T>(expression: string): Promise<T> {
  const calls = JSON.stringify(pathToFileURL(join(bench, 'load', 'calls.mjs')).href);
  const program = `
    const { callsOf, isRightList, isRightResult, messageIn } = await import(${calls});
    const resultOf = (data) => ({ result: { content: [{ type: 'text', text: JSON.stringify(data) }] } });
    process.stdout.write(JSON.stringify(${expression}));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout) as T;
}

describe('the load', () => {
  it('calls the three tools, with users that the data has', async () => {
    const calls = await evaluate<{ name: string; args: { user_id?: string } }[]>('callsOf(7)');
    expect(calls.map(({ name, args }) => [name, args.user_id])).toEqual([
      ['search_products', undefined],
      ['get_user_cart', 'user-00007'],
      ['checkout', 'user-00007'],
    ]);
  });

  it('accepts a right result, and notices one that is wrong, an error, or no result at all', async () => {
    const right = '{ status: "confirmed", total: 12.5, items_count: 2 }';
    const wrong = '{ status: "confirmed", total: 0, items_count: 2 }';
    const messages = [
      `resultOf(${right})`,
      `resultOf(${wrong})`,
      '{ error: { code: -32603, message: "" } }',
      'undefined',
    ];
    const judged = `[${messages.join(', ')}].map((message) => isRightResult(message, callsOf(1)[2].isRight))`;
    expect(await evaluate(judged)).toEqual([true, false, false, false]);
    expect(await evaluate('[isRightList({ result: { tools: [] } }), isRightList(undefined)]')).toEqual([false, false]);
  });

  it('reads answers in JSON and in event streams', async () => {
    const bodies = ['{"id":1}', 'event: message\\ndata: {"id":1}\\n\\n', ''];
    const read = `[${bodies.map((body) => `'${body}'`).join(', ')}].map((body) => messageIn(Buffer.from(body)) ?? null)`;
    expect(await evaluate(read)).toEqual([{ id: 1 }, { id: 1 }, null]);
  });
});

describe('the entry that is sent', () => {
  const sent = JSON.parse(read(bench, 'sigil', 'package.json')) as { dependencies: Record<string, string> };

  it('installs the versions that are tested here', () => {
    const { version } = JSON.parse(read(root, 'lerna.json')) as { version: string };
    const { devDependencies: tested } = JSON.parse(read(root, 'package.json')) as {
      devDependencies: Record<string, string>;
    };
    for (const [name, range] of Object.entries(sent.dependencies))
      expect([name, range]).toEqual([name, name.startsWith('@sigil-mcp/') ? `^${version}` : tested[name]]);
  });

  it('has one port in its image and its service, whose health check and variables are those of the contract', () => {
    const image = read(bench, 'sigil', 'Dockerfile');
    const { services } = parse(read(bench, 'sigil', 'compose.entry.yaml')) as {
      services: Record<string, { ports: string[]; environment: string[]; healthcheck: { test: string[] } }>;
    };
    const service = services['sigil-server']!;
    const port = /PORT=(\d+)/.exec(image)?.[1];
    expect(image).toContain(`EXPOSE ${port}`);
    expect(service.ports).toEqual([`${port}:${port}`]);
    expect(service.healthcheck.test.at(-1)).toBe(`http://localhost:${port}/health`);
    expect(service.environment).toEqual(
      expect.arrayContaining(['REDIS_URL=redis://mcp-redis:6379', 'API_SERVICE_URL=http://mcp-api-service:8100']),
    );
  });
});

describeWith('redis-server', 'the entries', () => {
  it('answer an iteration as the contract says, and all but the Node entry refuse wrong hosts, origins, headers, sessions and arguments', async () => {
    const { stdout } = await run(process.execPath, [join(bench, 'run.mjs'), '--check']);
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
    for (const name of ['node-sdk', 'sigil', 'hand-written', 'sigil, two workers'])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ok +${name} \\(.+\\), no sessions$`)));
    for (const name of ['sigil', 'hand-written'])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ok +${name} \\(.+\\), sessions$`)));
  }, 240_000);
});
