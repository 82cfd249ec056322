/** What `docs/dtos.md` says of `coerce`. */
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsBoolean, IsInt, IsOptional, IsString, Max } from 'class-validator';

expect.extend(matchers);

// #region coerce
class Order {
  @IsInt() @Max(20) pieces!: number;
  @IsOptional() @IsBoolean() gift: boolean = false;
  @IsOptional() @IsString({ each: true }) notes: string[] = [];
}

@Feature()
class Shop {
  @Tool('Orders something', { coerce: true })
  order(order: Order): string {
    return JSON.stringify(order);
  }
}
// #endregion coerce

@Feature()
class StrictShop {
  @Tool('Orders something')
  order(order: Order): string {
    return JSON.stringify(order);
  }
}

const server = createServer({ name: 'shop', version: '1.0.0', features: [Shop], logger: false });
const strict = createServer({ name: 'strict', version: '1.0.0', features: [StrictShop], logger: false });

eachRevision('what plainly means the declared type is taken for it, where a tool says so', async ({ connect }) => {
  const client = await connect(server);
  const order = async (sent: object): Promise<unknown> => {
    const { content } = await client.callTool('order', { ...sent });
    return JSON.parse((content[0] as { text: string }).text);
  };
  expect(await order({ pieces: '3', gift: 'true', notes: 'fragile' })).toEqual({
    pieces: 3,
    gift: true,
    notes: ['fragile'],
  });
  expect(await order({ pieces: 1, gift: 1, notes: '["a","b"]' })).toEqual({ pieces: 1, gift: true, notes: ['a', 'b'] });
  const { tools } = await client.listTools();
  expect(tools[0]).toMatchObject({ inputSchema: { properties: { pieces: { type: 'integer' } } } });
});

eachRevision(
  'what does not plainly mean it is refused, and so is what breaks a rule once it is converted',
  async ({ connect }) => {
    const client = await connect(server);
    expect(await client.callTool('order', { pieces: 'three' })).toBeToolError(/pieces/);
    expect(await client.callTool('order', { pieces: '30' })).toBeToolError(/pieces: must not be greater than 20/);
    expect(await (await connect(strict)).callTool('order', { pieces: '3' })).toBeToolError(/pieces/);
  },
  { since: '2025-11-25' },
);
