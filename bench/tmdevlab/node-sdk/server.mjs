/**
 * The Node entry of the benchmark, rebuilt: the official SDK over Express without sessions, with a server and a transport that are made
 * for each request, Node's `fetch`, and a connection to Redis. The versions are theirs, where they are installed in this folder.
 */
import { URLSearchParams } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import express from 'express';
import { Redis } from 'ioredis';
import { z } from 'zod';

const { API_SERVICE_URL: api, REDIS_URL, SERVER_TYPE: serverType = 'nodejs', PORT } = process.env;
/** Their entry has each server make one, which is most of what a server costs; `VALIDATOR=shared` shows what an option saves. */
const options = process.env.VALIDATOR === 'shared' ? { jsonSchemaValidator: new AjvJsonSchemaValidator() } : {};
const redis = new Redis(REDIS_URL, { enableReadyCheck: false, maxRetriesPerRequest: 3 });

const user = z.string().default('user-00042');
const TOOLS = {
  search_products: {
    description: 'Search products by category and price range, merged with popularity data',
    inputSchema: {
      category: z.string().default('Electronics'),
      min_price: z.number().default(50),
      max_price: z.number().default(500),
      limit: z.number().default(10),
    },
    run: searchProducts,
  },
  get_user_cart: {
    description: 'Get user cart details with recent order history',
    inputSchema: { user_id: user },
    run: getUserCart,
  },
  checkout: {
    description: 'Process checkout: calculate total, update rate limit, record history',
    inputSchema: {
      user_id: user,
      items: z.array(z.object({ product_id: z.number(), quantity: z.number() })).default([
        { product_id: 42, quantity: 2 },
        { product_id: 1337, quantity: 1 },
      ]),
    },
    run: checkout,
  },
};

async function searchProducts({ category, min_price, max_price, limit }) {
  const query = new URLSearchParams({ category, min_price, max_price, limit });
  const [found, members] = await Promise.all([
    fetch(`${api}/products/search?${query}`).then((response) => response.json()),
    redis.zrevrange('bench:popular', 0, 9),
  ]);
  const popular = members.map((member) => Number(member.split(':')[1]));
  const products = found.products.map(({ id, sku, name, price, rating }) => {
    return { id, sku, name, price, rating, popularity_rank: popular.indexOf(id) + 1 };
  });
  return { category, total_found: found.total_found, products, top10_popular_ids: popular, server_type: serverType };
}

async function getUserCart({ user_id }) {
  const cart = await redis.hgetall(`bench:cart:${user_id}`);
  const items = cart.items ? JSON.parse(cart.items) : [];
  const [, orders] = await Promise.all([
    fetch(`${api}/products/${items[0]?.product_id ?? 1}`).then((response) => response.json()),
    redis.lrange(`bench:history:${user_id}`, 0, 4),
  ]);
  return {
    user_id,
    cart: { items, item_count: items.length, estimated_total: Number(cart.total ?? 0) },
    recent_history: orders.map((order) => JSON.parse(order)),
    server_type: serverType,
  };
}

async function checkout({ user_id, items }) {
  const now = Date.now();
  const counter = `bench:ratelimit:user-${String(Number(user_id.split('-').pop()) % 100).padStart(5, '0')}`;
  const order = JSON.stringify({ order_id: `ORD-${user_id}-${now}`, items, ts: Math.floor(now / 1000) });
  const [price, requests] = await Promise.all([
    fetch(`${api}/cart/calculate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user_id, items }),
    }).then((response) => response.json()),
    redis.incr(counter),
    redis.rpush(`bench:history:${user_id}`, order),
    redis.zincrby('bench:popular', 1, `product:${items[0].product_id}`),
  ]);
  return {
    order_id: price.order_id,
    user_id,
    total: price.total,
    items_count: items.length,
    rate_limit_count: requests,
    status: 'confirmed',
    server_type: serverType,
  };
}

function createMcpServer() {
  const server = new McpServer({ name: 'BenchmarkNodejsServer', version: '1.0.0' }, options);
  for (const [name, { description, inputSchema, run }] of Object.entries(TOOLS))
    server.registerTool(name, { description, inputSchema }, async (input) => ({
      content: [{ type: 'text', text: JSON.stringify(await run(input)) }],
    }));
  return server;
}

const app = express();
app.use(express.json());
app.post('/mcp', async (request, response) => {
  const server = createMcpServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.all('/mcp', (_request, response) => response.status(405).end());
app.get('/health', (_request, response) => response.json({ status: 'ok', server_type: serverType }));
app.listen(Number(PORT), '127.0.0.1');
