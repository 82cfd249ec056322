/** Ways into an application that are rarer: test applications with HTTP, decorated parameters of routes, no HTTP, functions, logs. */
import {
  Headers,
  Injectable,
  Ip,
  Logger,
  Req,
  type INestApplication,
  type LoggerService,
  type Type,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { McpContext, Server, tool, Tool } from '@sigil-mcp/core';
import { SigilModule, type McpRequest } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { IsString } from 'class-validator';
import type { AddressInfo } from 'node:net';
import { finalize, interval, type Observable } from 'rxjs';
import { until } from '../../../test/support/until';
import { openApplication, openModule, PLATFORMS } from './support/open-application';

class Text {
  @IsString() text!: string;
}

@Injectable()
class Tools {
  @Tool('Measures') measure({ text }: Text): string {
    return String(text.length);
  }
  @Tool('Reads the request') read(
    @Headers('x-tenant') tenant: string,
    @Ip() address: string,
    @Req() request: McpRequest,
    context: McpContext,
  ): string {
    return `${tenant} ${address} ${request.mcp === context}`;
  }
  @Tool('Fails') fail(): string {
    throw new Error('the reason');
  }
}

describe.each(PLATFORMS)('an application of a testing module on %s', (platform) => {
  it('serves clients, with bodies that its parsers would refuse', async () => {
    const imports = [SigilModule.forRoot({ name: 'zoo', version: '1.0.0', logger: false })];
    const module = await Test.createTestingModule({ imports, providers: [Tools] }).compile();
    const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
    const app: INestApplication = module.createNestApplication(adapter, { logger: false });
    app.enableCors();
    app.setGlobalPrefix('api');
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
    const client = await connect(`http://127.0.0.1:${port}/api/mcp`);
    expect(await client.callTool('measure', { text: 'x'.repeat(500_000) })).toHaveText('500000');
    await client.close();
    await app.close();
  });

  it('reads what decorators of routes ask for', async () => {
    const { url } = await openApplication(platform, { providers: [Tools] });
    const client = await connect(url, { headers: { 'x-tenant': 'acme' } });
    expect(await client.callTool('read')).toHaveText('acme 127.0.0.1 true');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'read')?.inputSchema).not.toMatchObject({ properties: { tenant: {} } });
    await client.close();
  });

  it('has no endpoint with http: false', async () => {
    const { url, app } = await openApplication(platform, { providers: [Tools] }, { http: false });
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    const client = await connect(app.get(Server));
    expect(await client.callTool('measure', { text: 'four' })).toHaveText('4');
    await client.close();
  });
});

it('has functions beside its providers', async () => {
  const echo = tool('echo', { description: 'Echoes', input: Text }, ({ text }) => text);
  const { server } = await openModule({ providers: [Tools] }, { features: [echo] });
  const client = await connect(server);
  expect(await client.callTool('echo', { text: 'hi' })).toHaveText('hi');
  await client.close();
});

it('writes its log with the logger of Nest, and what was masked with its stack', async () => {
  const lines: unknown[][] = [];
  const note = (...words: unknown[]): void => void lines.push(words);
  const logger: LoggerService = { log: note, error: note, warn: note, debug: note, verbose: note };
  const imports = [SigilModule.forRoot({ name: 'zoo', version: '1.0.0' })];
  const module = await Test.createTestingModule({ imports, providers: [Tools] })
    .setLogger(logger)
    .compile();
  await module.init();
  const client = await connect(module.get(Server));
  const answer = JSON.stringify(await client.callTool('fail').catch(String));
  expect(answer).not.toContain('the reason');
  const line = lines.find(([words]) => String(words).includes('the reason'));
  expect(line?.[1]).toMatch(/edges\.spec/);
  expect(line?.at(-1)).toBe('MCP');
  await client.close();
  await module.close();
  Logger.overrideLogger(false);
});

it('keeps the parameters of classes apart that have one name and one method', async () => {
  const make = (): Type[] => {
    const first = class Feature {
      find({ text }: Text, tenant: unknown): string {
        return `${text} ${typeof tenant}`;
      }
    };
    const second = class Feature {
      find(tenant: unknown, { text }: Text): string {
        return `${text} ${typeof tenant}`;
      }
    };
    describeFind(first, 'first', [Text, String]);
    describeFind(second, 'second', [String, Text]);
    return [first, second];
  };
  const { server } = await openModule({ providers: make() });
  const client = await connect(server);
  expect(await client.callTool('first', { text: 'a' })).toHaveText('a undefined');
  expect(await client.callTool('second', { text: 'b' })).toHaveText('b undefined');
});

/** Decorates a method `find`, whose parameters are an input and a header. */
function describeFind(feature: Type, name: string, types: readonly unknown[]): void {
  const prototype = feature.prototype as object;
  const method = Object.getOwnPropertyDescriptor(prototype, 'find') as TypedPropertyDescriptor<() => unknown>;
  Reflect.defineMetadata('design:paramtypes', types, prototype, 'find');
  Headers('x-tenant')(prototype, 'find', types.indexOf(String));
  Tool('Finds', { name })(prototype, 'find', method);
  Injectable()(feature);
}

it('unsubscribes from the Observable of a tool whose time is over', async () => {
  let ended = 0;
  @Injectable()
  class Ticks {
    @Tool('Counts', { timeout: 20 }) count(): Observable<number> {
      return interval(1).pipe(finalize(() => ended++));
    }
  }
  const { server } = await openModule({ providers: [Ticks] });
  const client = await connect(server);
  expect((await client.callTool('count')).isError).toBe(true);
  await until(() => ended === 1);
});
