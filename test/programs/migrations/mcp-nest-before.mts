/** The recipes with @rekog/mcp-nest, before the move that docs/how-to/from-mcp-nest.md shows. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload, RpcException } from '@nestjs/microservices';
import { MCP_STRATEGY, McpController, McpStrategy, StdioTransport, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { flour } from './recipes.js';

// #region before
const FlourFor = z.object({
  dish: z.string().describe('Name of the dish'),
  people: z.number().int().min(1).max(50).default(4),
});

@Injectable()
class Kitchen {
  flourFor(dish: string): number | undefined {
    return flour[dish];
  }
}

@McpController()
class RecipesController {
  constructor(private readonly kitchen: Kitchen) {}

  @Tool({
    name: 'flourFor',
    description: 'How much flour a dish takes',
    parameters: FlourFor,
    outputSchema: z.object({ grams: z.number() }),
    annotations: { readOnlyHint: true },
  })
  async flourFor(@Payload() { dish, people }: z.infer<typeof FlourFor>) {
    const grams = this.kitchen.flourFor(dish);
    if (grams === undefined) throw new RpcException(`There is no dish ${dish}.`);
    return { grams: grams * people };
  }
}

const strategy = new McpStrategy({
  name: 'recipes',
  version: '1.0.0',
  transports: [new StdioTransport()],
  logging: false,
});

@Module({ controllers: [RecipesController], providers: [Kitchen, { provide: MCP_STRATEGY, useValue: strategy }] })
class AppModule {}

const app = await NestFactory.createMicroservice(AppModule, { strategy, logger: false });
await app.listen();
// #endregion before
