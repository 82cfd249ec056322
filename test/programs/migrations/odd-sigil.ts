/** A server of Sigil with a tool that fails unexpectedly, and one that breaks its own promise. */
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { createServer, Feature, Tool, tool } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { IsString } from 'class-validator';
import { z } from 'zod';

const fail = tool('fail', { description: 'Fails' }, () => {
  throw new Error('connect ECONNREFUSED db-7.internal');
});
const lie = tool('lie', { description: 'Lies', output: z.object({ grams: z.number() }) }, () => ({
  grams: 'many' as never,
}));
class Dish {
  @IsString() dish!: string;
}
@Feature()
class Kitchen {
  @Tool('Takes a class')
  weigh({ dish }: Dish): string {
    return dish;
  }
}

const features = process.argv.includes('with-class') ? [Kitchen] : [fail, lie];
const server = createServer({ name: 'odd', version: '1.0.0', features, logger: false });
void server.listen(new StdioTransport());
