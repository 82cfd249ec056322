/** The contracts of the apps are in their folders, and are those of their servers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareContracts, contractOf, readContract, writeContract } from '@sigil-mcp/contract';
import type { Server } from '@sigil-mcp/core';
import { approvalsServer } from '../../../apps/approvals/src/server';
import { chartsServer } from '../../../apps/charts/src/server';
import { everything } from '../../../apps/everything/src/server';
import { filesServer } from '../../../apps/files/src/server';
import { libraryServer } from '../../../apps/library/src/server';
import { sampleServer } from '../../../apps/rest/src/server';
import { notesServer } from '../../../apps/secured/src/server';
import { server as weather } from '../../../apps/weather/src/server';

const SERVERS: readonly [string, () => Server][] = [
  ['approvals', approvalsServer],
  ['charts', chartsServer],
  ['everything', () => everything()],
  ['files', () => filesServer()],
  ['library', () => libraryServer(':memory:')],
  ['rest', sampleServer],
  ['secured', () => notesServer()],
  ['weather', () => weather],
];

it.each(SERVERS)('%s has the contract that its file says: if not, run sigil contract in its folder', (app, make) => {
  const file = join(__dirname, '..', '..', '..', 'apps', app, 'sigil.lock.json');
  const text = readFileSync(file, 'utf8');
  const contract = contractOf(make().describe());
  expect(compareContracts(readContract(text, file), contract)).toEqual([]);
  expect(text).toBe(writeContract(contract));
});
