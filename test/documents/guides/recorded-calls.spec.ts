/** What `docs/recorded-calls.md` shows. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Feature, Tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';

@Feature()
class BookFeature {
  @Tool('Counts the books', { readOnly: true }) bookCount(): string {
    return '1815';
  }
}

// #region observer
import { createServer } from '@sigil-mcp/core';
import { recordCalls } from '@sigil-mcp/contract/recording';

const server = createServer({
  name: 'library',
  version: '1.0.0',
  features: [BookFeature],
  observers: [recordCalls({ to: 'calls.jsonl', share: 0.01 })],
});
// #endregion observer

const before = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'sigil-recorded-'));
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

it('records calls of a server', async () => {
  const client = await connect(server);
  await client.callTool('bookCount');
  await client.close();
  await server.close();
  expect(existsSync('calls.jsonl')).toBe(true);
  expect(readFileSync('calls.jsonl', 'utf8')).not.toContain('password');
});
