/** What the README says of other frameworks, seen: each is asked the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, matchers } from '@sigil-mcp/testing';
import { compileServer, removeCompiled } from './compile-server';

expect.extend(matchers);
jest.setTimeout(120_000);

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

afterAll(removeCompiled);

/** What a client sees of a server: the revisions that it speaks, whether a masked word leaks, whether a result breaks its schema. */
async function look(source: string) {
  const target = { command: process.execPath, args: [compileServer(source)] };
  const spoken: string[] = [];
  for (const revision of REVISIONS) {
    const client = await connect(target, { revision }).catch(() => undefined);
    if (client) spoken.push(revision);
    await client?.close();
  }
  const client = await connect(target, { revision: '2025-06-18' });
  const ask = async (name: string): Promise<string> => JSON.stringify(await client.callTool(name).catch(String));
  const seen = {
    spoken,
    tellsHosts: (await ask('fail')).includes('db-7'),
    sendsWhatBreaksItsSchema: (await ask('lie')).includes('"grams":"many"'),
  };
  await client.close();
  return seen;
}

/** Whether a server that is given a class as the schema of a tool lists the properties of that class. */
async function listsAClass(source: string): Promise<boolean> {
  const args = [compileServer(source), 'with-class'];
  try {
    const client = await connect({ command: process.execPath, args }, { revision: '2025-06-18' });
    try {
      const { tools } = await client.listTools();
      const weigh = tools.find(({ name }) => name === 'weigh');
      return JSON.stringify(weigh?.inputSchema ?? {}).includes('"dish"');
    } finally {
      await client.close();
    }
  } catch {
    return false; // it does not start with one, or has no list
  }
}

const readme = readFileSync(join(__dirname, '..', '..', '..', 'README.md'), 'utf8');
/** The cells of a row of the README, without that of its name. */
const rowOf = (name: string): string[] => {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
  return row
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
};

it.each(
  ['odd-sigil.ts', 'odd-official-sdk.mts', 'odd-fastmcp.mts', 'odd-mcp-nest.mts'].map(
    (source, column) => [source, column] as const,
  ),
)('the comparison in the README is right about %s', async (source, column) => {
  const { spoken, tellsHosts, sendsWhatBreaksItsSchema } = await look(source);
  const listed = await listsAClass(source);
  expect({
    isSchema: rowOf('A DTO class is the schema')[column],
    revisions: rowOf('Protocol revisions in one server')[column],
    masked: rowOf('Keeps messages of unexpected errors from clients')[column],
    checked: rowOf('Validates results against their schema')[column],
  }).toEqual({
    isSchema: listed ? 'yes' : 'no',
    revisions: String(spoken.length),
    masked: tellsHosts ? 'no' : 'yes',
    checked: sendsWhatBreaksItsSchema ? 'no' : 'yes',
  });
});
