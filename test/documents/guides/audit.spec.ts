/** The code of docs/audit.md runs, and its records are as the page shows them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, Feature, McpContext, Tool, UseGuards, type Guard } from '@sigil-mcp/core';
import { verifyChain } from '@sigil-mcp/audit/verify';
import { connect, ManualClock } from '@sigil-mcp/testing';
import { IsBoolean, IsInt } from 'class-validator';
// #region import
import { audit, fileSink } from '@sigil-mcp/audit';
// #endregion import

class Payment {
  @IsInt() amount!: number;
}
class Confirmation {
  @IsBoolean() ok!: boolean;
}
class Clerks implements Guard {
  allows(): boolean {
    return true;
  }
}

@Feature()
class Payments {
  @Tool('Pays') @UseGuards(Clerks) async pay({ amount }: Payment, context: McpContext): Promise<string> {
    const { action } = await context.elicit(Confirmation, `Pay ${amount}?`);
    return action;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sigil-guide-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'audit.log');
const SECRET = 'k'.repeat(32);
process.env['SIGIL_AUDIT_SECRET'] = SECRET;

// #region server
const log = audit({
  sink: fileSink({ path, maxBytes: 10_000_000, keep: 100 }),
  secret: process.env['SIGIL_AUDIT_SECRET'],
  chain: true,
});

const server = createServer({ name: 'bank', version: '1.0.0', features: [Payments], observers: [log] });
// #endregion server

it('writes the record that the page shows', async () => {
  const client = await connect(server, {
    as: { id: 'ada', issuer: 'https://id.example.com', scopes: ['payments:write'] },
    revision: '2025-11-25',
    clientInfo: { name: 'assistant', version: '2.1.0' },
    answers: () => ({ action: 'accept', content: { ok: true } }),
  });
  await client.callTool('pay', { amount: 40 });
  await client.close();
  await server.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const record = JSON.parse(lines.find((line) => line.includes('tools/call')) ?? '') as Record<string, unknown>;
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'audit.md'), 'utf8');
  const shown = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '') as Record<string, unknown>;
  expect(Object.keys(record)).toEqual(Object.keys(shown));
  const varying = [
    'id',
    'time',
    'ms',
    'arguments',
    'questions',
    'transport',
    'session',
    'previous',
    'hash',
    'sequence',
  ];
  for (const name of Object.keys(shown)) if (!varying.includes(name)) expect(record[name]).toEqual(shown[name]);
  expect(await verifyChain([path], { secrets: [SECRET], whole: true })).toMatchObject({ faults: [] });
});

const rows: string[] = [];
const database = {
  insert: async (table: string, records: readonly { readonly id: string }[]): Promise<void> =>
    void rows.push(...records.map(({ id }) => `${table} ${id}`)),
};

it('gives records to a function', async () => {
  const secret = SECRET;
  // #region function
  const toDatabase = audit({ sink: (records) => database.insert('audit', records), secret });
  // #endregion function
  const other = createServer({ name: 'bank', version: '1.0.0', features: [Payments], observers: [toDatabase] });
  await (await connect(other)).close();
  await other.close();
  expect(rows.length).toBeGreaterThanOrEqual(2);
});

it('counts what was lost', async () => {
  const clock = new ManualClock();
  const failing = audit({
    sink: () => Promise.reject(new Error('No database.')),
    secret: SECRET,
    maxBufferBytes: 1,
    clock,
    closeTimeout: 1,
  });
  const other = createServer({
    name: 'bank',
    version: '1.0.0',
    features: [Payments],
    observers: [failing],
    logger: false,
  });
  const client = await connect(other);
  await client.callTool('none').catch(() => undefined);
  expect(failing.lost).toBe(1);
  await client.close();
  const closed = expect(other.close()).rejects.toMatchObject({ code: 'SIGIL_AUDIT_UNDELIVERED' });
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(10);
  await closed;
});
