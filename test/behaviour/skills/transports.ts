/** The ways to the shop. */
import { join } from 'node:path';
import type { Target } from '@sigil-mcp/testing';
import { compileFixtures } from '../../support/compile-fixture';
import { serve, useAdapter } from '../http/http-server';
import { shop, shopDefinition } from './shop/shop';

/** A server that listens, and its end. */
export interface Opened {
  readonly target: Target;
  close(): Promise<void>;
}

const http = (adapter: 'fastify' | 'fetch') => async (): Promise<Opened> => {
  useAdapter(adapter);
  const { url, close } = await serve(shopDefinition(__dirname));
  return { target: url, close };
};

/** Name -> what opens the shop on it. */
export const TRANSPORTS: Readonly<Record<string, () => Promise<Opened>>> = {
  async memory() {
    const server = shop(__dirname);
    return { target: server, close: () => server.close() };
  },
  async stdio() {
    const program = join(compileFixtures(join(__dirname, 'shop')), 'stdio.js');
    return { target: { command: process.execPath, args: [program, __dirname] }, close: async () => undefined };
  },
  'HTTP with Fastify': http('fastify'),
  'HTTP with fetch': http('fetch'),
};
