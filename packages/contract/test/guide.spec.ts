/** The snippet of the guide. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, tool } from '@sigil-mcp/core';
import { compareContracts, contractOf, readContract, writeContract } from '../src';

it('compares a server with its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-contract-'));
  const file = join(folder, 'sigil.lock.json');
  const server = createServer({
    name: 'shelf',
    version: '1.0.0',
    features: [tool('count', { description: 'Counts the books' }, () => '3')],
  });
  writeFileSync(file, writeContract(contractOf(server.describe())));
  // #region compare
  const before = readContract(readFileSync(file, 'utf8'), file);
  const changes = compareContracts(before, contractOf(server.describe()));
  expect(changes.filter(({ level }) => level !== 'compatible')).toEqual([]);
  // #endregion compare
  rmSync(folder, { recursive: true });
});
