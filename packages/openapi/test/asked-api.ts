/** An API on a real socket that a written tool is called against: what arrives there. */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Module } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import type { OpenApiProject } from './openapi-project';

/** A request, as it arrived. */
export interface Arrived {
  readonly method: string | undefined;
  /** Path and query. */
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Calls a tool that was written. @returns what the API received. @throws if the call fails */
export async function arrivedFrom({ folder }: OpenApiProject, tool: string, given: object): Promise<Arrived> {
  const arrived: Arrived[] = [];
  const api = createHttpServer(({ method, url, headers }, response) => {
    const chunks: Buffer[] = [];
    response.req.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.req.on('end', () => {
      arrived.push({ method, url, headers, body: Buffer.concat(chunks) });
      response.end('done');
    });
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  try {
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const { ShopSettings } = load<{ ShopSettings: new (init: { url: string }) => object }>(folder, 'shop-settings');
    const { shopModule } = load<{ shopModule: (settings: object) => Module }>(folder, 'shop.module');
    const modules = [shopModule(new ShopSettings({ url }))];
    const client = await connect(createServer({ name: 'x', version: '1.0.0', logger: false, modules }));
    const result = await client.callTool(tool, { ...given });
    await client.close();
    const [request] = arrived;
    if (!request || result.isError === true) throw new Error(JSON.stringify(result));
    return request;
  } finally {
    api.closeAllConnections();
    api.close();
    await once(api, 'close');
  }
}

/** The parts of a body of several. */
export function formOf({ headers, body }: Arrived): Promise<FormData> {
  return new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
}

/** What was written for this project, with the types that its document gives it. */
function load<Written extends object>(folder: string, name: string): Written {
  return jest.requireActual<Written>(join(folder, 'src', 'shop', `${name}.ts`));
}
