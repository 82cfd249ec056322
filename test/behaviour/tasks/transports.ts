/** The ways to the bakery. */
import { join } from 'node:path';
import type { Target } from '@sigil-mcp/testing';
import { compileFixtures } from '../../support/compile-fixture';
import { serve, useAdapter } from '../http/http-server';
import { bakery, bakeryDefinition } from './bakery/bakery';

/** A server that listens, and its end. */
export interface Opened {
  readonly target: Target;
  close(): Promise<void>;
}

const http = (adapter: 'fastify' | 'fetch') => async (): Promise<Opened> => {
  useAdapter(adapter);
  const { url, close } = await serve(bakeryDefinition());
  return { target: url, close };
};

/** Name -> what opens the bakery on it. */
export const TRANSPORTS: Readonly<Record<string, () => Promise<Opened>>> = {
  async memory() {
    const server = bakery();
    return { target: server, close: () => server.close() };
  },
  async stdio() {
    const program = join(compileFixtures(join(__dirname, 'bakery')), 'stdio.js');
    return { target: { command: process.execPath, args: [program] }, close: async () => undefined };
  },
  'HTTP with Fastify': http('fastify'),
  'HTTP with fetch': http('fetch'),
};
