/** A server of @rekog/mcp-nest with a tool that fails unexpectedly, and one that breaks its own promise. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MCP_STRATEGY, McpController, McpStrategy, StdioTransport, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { IsString } from 'class-validator';

class Dish {
  @IsString() dish!: string;
}

@McpController()
class OddController {
  @Tool({ name: 'fail', description: 'Fails' })
  async fail() {
    throw new Error('connect ECONNREFUSED db-7.internal');
  }

  @Tool({ name: 'lie', description: 'Lies', outputSchema: z.object({ grams: z.number() }) })
  async lie() {
    return { grams: 'many' };
  }
}

@McpController()
class ClassController {
  @Tool({ name: 'weigh', description: 'Takes a class', parameters: Dish as never })
  async weigh() {
    return '';
  }
}

const controllers = process.argv.includes('with-class') ? [ClassController] : [OddController];
const strategy = new McpStrategy({ name: 'odd', version: '1.0.0', transports: [new StdioTransport()], logging: false });

@Module({ controllers, providers: [{ provide: MCP_STRATEGY, useValue: strategy }] })
class AppModule {}

const app = await NestFactory.createMicroservice(AppModule, { strategy, logger: false });
await app.listen();
