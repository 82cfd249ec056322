/** The package as it is built, in processes with Nest 11 (CommonJS) and Nest 12 (ES modules). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { compileProgram, removePrograms, versionOf } from './support/compile-program';
import { eachRevision } from '../../../test/support/each-revision';

const source = join(__dirname, 'programs', 'zoo.mts');

afterAll(removePrograms);

describe.each(['11', '12'] as const)('with Nest %s', (nest) => {
  let program = '';
  beforeAll(() => {
    expect(versionOf(nest)).toMatch(new RegExp(`^${nest}\\.`));
    program = compileProgram(source, nest);
  });

  eachRevision(
    'serves a client over stdio, which is kept free of what the application prints',
    async ({ connect: meet, revision }) => {
      const client = await meet(
        { command: process.execPath, args: [program, 'stdio'] },
        { answers: () => ({ action: 'accept', content: { sure: true } }) },
      );
      expect(await client.callTool('find', { name: 'Tom' })).toHaveText('Tom purrs');
      expect(await client.callTool('find', { name: 'Eve' })).toMatchObject({
        isError: true,
        content: [{ text: 'Forbidden resource' }],
      });
      expect(await client.callTool('tenant')).toHaveText('none');
      expect(client.stderr()).toContain('looking for Tom');
      if (revision < '2025-06-18') return;
      expect(await client.callTool('remove')).toHaveText('deleted');
    },
    nest === '11' ? { since: '2026-07-28' } : {},
  );

  it('ends with its client, and its providers before it', async () => {
    const child = spawn(process.execPath, [program, 'stdio'], { stdio: ['pipe', 'ignore', 'pipe'] });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (line.includes('successfully') || line.includes('dependencies initialized')) child.stdin.end();
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(lines).toContain('closed');
  });

  it('serves HTTP on Express, and ends with SIGTERM', async () => {
    const child = spawn(process.execPath, [program, 'express'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    const urlOf = async (): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('The program has ended.');
        if (/^http.*\/mcp$/.test(value)) return value;
      }
    };
    const url = await urlOf();
    const client = await connect(url, { headers: { 'x-tenant': 'acme' } });
    expect(await client.callTool('find', { name: 'Tom' })).toHaveText('Tom purrs');
    expect(await client.callTool('tenant')).toHaveText('acme');
    await client.close();
    child.kill('SIGTERM');
    let rest = '';
    for (let next = await lines.next(); !next.done; next = await lines.next()) rest += next.value;
    expect(rest).toContain('closed');
  });
});
