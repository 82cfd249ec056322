/** What applications on MCP-Nest rely on, by its own end-to-end scenarios: pipelines, filters, scopes and modules, here with Sigil in Nest. */
import {
  Body,
  Catch,
  Inject,
  Injectable,
  Module,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { McpContext, Prompt, Resource, Tool } from '@sigil-mcp/core';
import { McpExecutionContext, type McpRequest } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { map, of, type Observable } from 'rxjs';
import { z } from 'zod';
import { openApplication, openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

const Greeting = z.object({ name: z.string().default('World') });
type Greeting = z.infer<typeof Greeting>;

/** A tool's result, as the official SDK has it. */
const text = (words: string, isError = false): object => ({ content: [{ type: 'text', text: words }], isError });

describe('the pipeline around a tool with a schema of zod', () => {
  class UpperCase implements PipeTransform {
    transform({ name }: Greeting): Greeting {
      return { name: name.toUpperCase() };
    }
  }
  class Suffix implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler<{ content: { text: string }[] }>): Observable<object> {
      return next.handle().pipe(map(({ content: [first] }) => text(`${first?.text} [intercepted]`)));
    }
  }
  @Injectable()
  class Pipeline {
    @Tool('Pipes its input', { input: Greeting }) pipe(@Body(UpperCase) { name }: Greeting): object {
      return text(name);
    }
    @Tool('Is changed') @UseInterceptors(Suffix) intercepted(): object {
      return text('original');
    }
    @Tool('Has a default', { input: Greeting }) greet({ name }: Greeting): object {
      return text(`Hello, ${name}!`);
    }
  }

  eachRevision('has pipes of parameters, interceptors and defaults', async ({ connect: meet }) => {
    const { server } = await openModule({ providers: [Pipeline] });
    const client = await meet(server);
    expect(await client.callTool('pipe', { name: 'alice' })).toHaveText('ALICE');
    expect(await client.callTool('intercepted')).toHaveText('original [intercepted]');
    expect(await client.callTool('greet')).toHaveText('Hello, World!');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'pipe')?.inputSchema).toMatchObject({
      properties: { name: { default: 'World' } },
    });
  });
});

describe('filters that return results', () => {
  class Known extends Error {}
  const filter = (label: string, resultOf: (words: string) => object): new () => ExceptionFilter<Error> =>
    class implements ExceptionFilter<Error> {
      catch({ message }: Error): Observable<object> {
        return of(resultOf(`[${label}] ${message}`));
      }
    };
  const message = (words: string): object => ({
    messages: [{ role: 'assistant', content: { type: 'text', text: words } }],
  });
  const contents = (words: string): object => ({
    contents: [{ uri: 'mcp://any', mimeType: 'text/plain', text: words }],
  });
  const known = (made: new () => ExceptionFilter<Error>): new () => ExceptionFilter<Error> => (
    Catch(Known)(made),
    made
  );
  const all = (made: new () => ExceptionFilter<Error>): new () => ExceptionFilter<Error> => (Catch()(made), made);

  @Injectable()
  @UseFilters(all(filter('all', (words) => text(words, true))))
  class Tools {
    @Tool('Fails') @UseFilters(known(filter('known', (words) => text(words, true)))) knownTool(): string {
      throw new Known('one');
    }
    @Tool('Fails') otherTool(): string {
      throw new Error('two');
    }
    @Tool('Works') works(): object {
      return text('OK');
    }
  }
  @Injectable()
  @UseFilters(all(filter('all', contents)))
  class Resources {
    @Resource('mcp://known') @UseFilters(known(filter('known', contents))) knownResource(): string {
      throw new Known('one');
    }
    @Resource('mcp://other') otherResource(): string {
      throw new Error('two');
    }
  }
  @Injectable()
  @UseFilters(all(filter('all', message)))
  class Prompts {
    @Prompt('Fails') @UseFilters(known(filter('known', message))) knownPrompt(): string {
      throw new Known('one');
    }
    @Prompt('Fails') otherPrompt(): string {
      throw new Error('two');
    }
  }

  eachRevision('decide for tools, resources and prompts; that of the method comes first', async ({ connect: meet }) => {
    const { server } = await openModule({ providers: [Tools, Resources, Prompts] });
    const client = await meet(server);
    expect(await client.callTool('knownTool')).toMatchObject({ isError: true, content: [{ text: '[known] one' }] });
    expect(await client.callTool('otherTool')).toMatchObject({ isError: true, content: [{ text: '[all] two' }] });
    expect(await client.callTool('works')).toHaveText('OK');
    expect(JSON.stringify(await client.readResource('mcp://known'))).toContain('[known] one');
    expect(JSON.stringify(await client.readResource('mcp://other'))).toContain('[all] two');
    expect(JSON.stringify(await client.getPrompt('knownPrompt'))).toContain('[known] one');
    expect(JSON.stringify(await client.getPrompt('otherPrompt'))).toContain('[all] two');
  });
});

describe('tools of a request', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Scoped {
    constructor(@Inject(REQUEST) private readonly request: McpRequest) {}

    @Tool('Reads a header') header(): string {
      return String(this.request.headers['any-header'] ?? 'No header found');
    }
    @Tool('Works in steps', { input: Greeting }) async steps({ name }: Greeting, context: McpContext): Promise<object> {
      for (let step = 1; step <= 5; step += 1) await context.progress(step * 20, 100);
      return text(`Hello, ${name}!`);
    }
  }

  eachRevision('read headers and report progress over HTTP', async ({ connect: meet }) => {
    const { url } = await openApplication('express', { providers: [Scoped] }, { http: { sse: true } });
    const client = await meet(url, { headers: { 'any-header': 'any-value' } });
    expect(await client.callTool('header')).toHaveText('any-value');
    const values: unknown[] = [];
    const answer = await client.callTool(
      'steps',
      { name: 'Tom' },
      { onProgress: ({ progress }) => values.push(progress) },
    );
    expect(answer).toHaveText('Hello, Tom!');
    expect(values).toEqual([20, 40, 60, 80, 100]);
  });
});

describe('guards of one tool', () => {
  class WithUser implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      return McpExecutionContext.create(context).getRequest().user !== undefined;
    }
  }
  @Injectable()
  class Mixed {
    @Tool('For all') open(): string {
      return 'open';
    }
    @Tool('For users') @UseGuards(WithUser) members(): string {
      return 'members';
    }
  }
  @Module({ providers: [Mixed] })
  class First {}
  @Injectable()
  class Other {
    @Tool('Of another module') other(): string {
      return 'other';
    }
  }
  @Module({ providers: [Other] })
  class Second {}

  it('refuse callers without a user, and leave the other tools of all modules alone', async () => {
    const { server } = await openModule({ imports: [First, Second] });
    const [anyone, ada] = [await connect(server), await connect(server, { as: { id: 'ada' } })];
    expect(await anyone.callTool('open')).toHaveText('open');
    expect(await anyone.callTool('members')).toMatchObject({ isError: true });
    expect(await ada.callTool('members')).toHaveText('members');
    expect(await ada.callTool('other')).toHaveText('other');
  });
});
