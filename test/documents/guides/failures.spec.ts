/** What `docs/how-to/errors.md` says and shows. */
import { createServer, Describe, Feature, ProtocolError, Resource, Tool, ToolFailure } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsInt, IsString, Max, Min } from 'class-validator';

expect.extend(matchers);

class Stay {
  @Describe('Room number') @IsInt() @Min(1) @Max(40) room!: number;
}
class Guest {
  @IsString() name!: string;
}
const free = new Set([7, 12]);

// #region failure
@Feature()
class Rooms {
  @Tool('Books a room')
  book({ room }: Stay): string {
    if (!free.has(room)) throw new ToolFailure(`Room ${room} is taken. Free are ${[...free].join(' and ')}.`);
    return `Room ${room} is yours.`;
  }
}
// #endregion failure

@Feature()
class Guests {
  // #region masked
  @Tool('Counts the guests')
  async count(): Promise<number> {
    throw new Error('connect ECONNREFUSED db-7.internal:5432');
  }
  // #endregion masked

  // #region protocol
  @Resource('hotel://guests/{name}')
  guest({ name }: Guest): string {
    if (name === 'nobody') throw new ProtocolError('resource-not-found', 'There is no guest of that name.');
    return `${name} is in.`;
  }
  // #endregion protocol
}

const lines: unknown[] = [];
const write = (fields: unknown, message: string): void => void lines.push({ fields, message });
const logger = { error: write, warn: write, info: write, debug: write };
const server = createServer({ name: 'hotel', version: '1.0.0', features: [Rooms, Guests], logger });

eachRevision('a model reads why a tool failed, word for word', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.callTool('book', { room: 3 })).toBeToolError('Room 3 is taken. Free are 7 and 12.');
});

const wrong = { room: 41.5 };
eachRevision(
  'arguments that do not fit are explained to the model, and the handler is not called',
  async ({ connect }) => {
    const client = await connect(server);
    expect(await client.callTool('book', wrong)).toBeToolError(/room: must be an integer/);
  },
  { since: '2025-11-25' },
);
eachRevision(
  'before, the client was told',
  async ({ connect }) => {
    const client = await connect(server);
    await expect(client.callTool('book', wrong)).rejects.toBeRpcError(-32602, 'room: must be an integer');
  },
  { until: '2025-06-18' },
);

eachRevision('what was not meant for clients is masked, and is in the log under the same id', async ({ connect }) => {
  lines.length = 0;
  const result = await (await connect(server)).callTool('count');
  expect(result).toBeToolError(/^Internal error \(id [\w-]+\)/);
  expect(JSON.stringify(result)).not.toContain('db-7');
  const [, id] = /\(id ([\w-]+)\)/.exec(JSON.stringify(result)) ?? [];
  expect(lines).toContainEqual(expect.objectContaining({ fields: expect.objectContaining({ errorId: id }) }));
});

eachRevision('an error of the protocol keeps its code and its words', async ({ connect }) => {
  const client = await connect(server);
  await expect(client.readResource('hotel://guests/nobody')).rejects.toBeRpcError(undefined, 'no guest of that name');
  await expect(client.callTool('unbook')).rejects.toBeRpcError(-32602, 'Unknown tool');
});
