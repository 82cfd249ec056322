/** The sources of servers with any number of tools, ten to a class, each tool with a DTO of its own. */

/** A Sigil server. */
export function sigilTools(count) {
  const features = Array.from({ length: Math.ceil(count / 10) }, (_, index) =>
    sigilFeature(index, Math.min(10, count - index * 10)),
  );
  const names = features.map((_, index) => `Feature${index}`).join(', ');
  return `
    import '@sigil-mcp/core/stdio/guard';
    import 'reflect-metadata';
    import { Describe, Feature, Tool, createServer } from '@sigil-mcp/core';
    import { StdioTransport } from '@sigil-mcp/core/stdio';
    import { IsInt, IsString, Length, Max, Min } from 'class-validator';
    ${features.join('\n')}
    void createServer({ name: 'bench', version: '1.0.0', features: [${names}] }).listen(new StdioTransport());`;
}

function sigilFeature(index, count) {
  const tools = Array.from({ length: count }, (_, tool) => `${index}_${tool}`);
  const dtos = tools.map(
    (tool) => `class Query${tool} {
      @Describe('City name') @IsString() @Length(2, 60) city!: string;
      @Describe('How many days ahead') @IsInt() @Min(1) @Max(14) days: number = 3;
    }`,
  );
  const methods = tools.map(
    (tool) => `@Tool('Forecast ${tool}') tool${tool}({ city }: Query${tool}): string { return city; }`,
  );
  return `${dtos.join('\n')}\n@Feature() class Feature${index} {\n${methods.join('\n')}\n}`;
}

/** The same with the official SDK 1. */
export function sdkTools(count) {
  return `
    const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
    const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
    const { z } = require('zod');
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    for (let tool = 0; tool < ${count}; tool += 1) {
      const inputSchema = {
        city: z.string().min(2).max(60).describe('City name'),
        days: z.number().int().min(1).max(14).default(3).describe('How many days ahead'),
      };
      server.registerTool('tool' + tool, { description: 'Forecast ' + tool, inputSchema }, ({ city }) => ({ content: [{ type: 'text', text: city }] }));
    }
    void server.connect(new StdioServerTransport());`;
}
