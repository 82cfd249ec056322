/** The ways to the archive. */
import { join } from 'node:path';
import type { Target } from '@sigil-mcp/testing';
import { compileFixtures } from '../../support/compile-fixture';
import { serve, useAdapter } from '../http/http-server';
import { archive, archiveDefinition } from './archive/archive';

/** A server that listens, and its end. */
export interface Opened {
  readonly target: Target;
  close(): Promise<void>;
}

const http = (adapter: 'fastify' | 'fetch') => async (): Promise<Opened> => {
  useAdapter(adapter);
  const { url, close } = await serve(archiveDefinition());
  return { target: url, close };
};

/** Name -> what opens the archive on it. */
export const TRANSPORTS: Readonly<Record<string, () => Promise<Opened>>> = {
  async memory() {
    const server = archive();
    return { target: server, close: () => server.close() };
  },
  async stdio() {
    const program = join(compileFixtures(join(__dirname, 'archive')), 'stdio.js');
    return { target: { command: process.execPath, args: [program] }, close: async () => undefined };
  },
  'HTTP with Fastify': http('fastify'),
  'HTTP with fetch': http('fetch'),
};
