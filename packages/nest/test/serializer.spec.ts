/** Global interceptors that copy results as plain data: results of the kinds of Sigil stay what they are, on every revision. */
import {
  ClassSerializerInterceptor,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import {
  assistantMessage,
  contents,
  image,
  Prompt,
  Resource,
  text,
  Tool,
  toolResult,
  userMessage,
  type ResourceContentsList,
  type ToolResult,
} from '@sigil-mcp/core';
import type { ImageContent, PromptMessage } from '@sigil-mcp/protocol';
import '@sigil-mcp/testing/matchers';
import { searchToolset } from '@sigil-mcp/toolsets';
import { Exclude, Expose } from 'class-transformer';
import { map, of, type Observable } from 'rxjs';
import { withKind } from '../src/plain-copies';
import { openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

const PNG = Uint8Array.from([137, 80, 78, 71]);
const PICTURE = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' };

class User {
  @Expose() name = 'ada';
  @Exclude() password = 'hunter2';
}

function changing(change: (value: never) => unknown): Type<NestInterceptor> {
  @Injectable()
  class Changing implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler<never>): Observable<unknown> {
      return next.handle().pipe(map(change));
    }
  }
  return Changing;
}

const Wrapped = changing((data) => ({ data }));
const Masked = changing(() => [{ type: 'text', text: 'masked' }]);
const Described = changing(() => ({ type: 'text', text: 'a picture' }));

@Injectable()
class Zoo {
  @Tool('A picture') picture(): unknown {
    return image(PNG, 'image/png');
  }
  @Tool('Pictures') pictures(): unknown {
    return ['Two:', image(PNG, 'image/png'), undefined, image(PNG, 'image/png')];
  }
  @Tool('A set') set(): unknown {
    return new Set([image(PNG, 'image/png')]);
  }
  @Tool('Later') later(): Observable<unknown> {
    return of('nothing', image(PNG, 'image/png'));
  }
  @Tool('Bytes', { mimeType: 'image/png' }) bytes(): Uint8Array {
    return PNG;
  }
  @Tool('Fails') fails(): ToolResult {
    return toolResult({ content: ['It failed.', image(PNG, 'image/png')], isError: true });
  }
  @Tool('A user') user(): ToolResult {
    return toolResult({ content: text('ada'), structured: new User(), meta: { 'zoo/a': 1 } });
  }
  @Tool('Data') data(): User {
    return new User();
  }
  @Tool('Wrapped') @UseInterceptors(Wrapped) wrapped(): unknown {
    return toolResult({ content: 'inside', isError: true });
  }
  @Tool('Masked') @UseInterceptors(Masked) masked(): unknown {
    return 'secret';
  }
  @Tool('Described') @UseInterceptors(Described) described(): unknown {
    return image(PNG, 'image/png');
  }
  @Resource('zoo://bytes', { mimeType: 'image/png' }) read(): Uint8Array {
    return PNG;
  }
  @Resource('zoo://buffer', { mimeType: 'image/png' }) buffer(): Uint8Array {
    return Buffer.from(PNG);
  }
  @Resource('zoo://block') block(): unknown {
    return image(PNG, 'image/png');
  }
  @Resource('zoo://pieces') pieces(): ResourceContentsList {
    return contents({ data: 'a' }, { uri: 'zoo://pieces/b', data: PNG, mimeType: 'image/png' });
  }
  @Prompt('A picture') show(): ImageContent {
    return image(PNG, 'image/png');
  }
  @Prompt('Messages') talk(): (PromptMessage | ImageContent)[] {
    return [userMessage(image(PNG, 'image/png')), assistantMessage('Nice.'), image(PNG, 'image/png')];
  }
  @Prompt('Written') written(): { description: string; messages: PromptMessage[] } {
    return { description: 'Of a cat', messages: [userMessage(image(PNG, 'image/png'))] };
  }
}

const serializer = (options: object): Provider => ({
  provide: APP_INTERCEPTOR,
  useFactory: (reflector: Reflector) => new ClassSerializerInterceptor(reflector, options),
  inject: [Reflector],
});
const own = { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor };
const PROVIDERS: readonly [string, Provider][] = [
  ['as it is', own],
  ['with excludeAll', serializer({ strategy: 'excludeAll' })],
];

describe.each(PROVIDERS)('ClassSerializerInterceptor around everything, %s', (_, provider) => {
  const zoo = { providers: [Zoo, provider] };

  eachRevision('leaves pictures and bytes of tools what they are', async ({ connect }) => {
    const client = await connect((await openModule(zoo)).server);
    for (const name of ['picture', 'set', 'later', 'bytes'])
      expect([name, (await client.callTool(name)).content]).toEqual([name, [PICTURE]]);
    const { content } = await client.callTool('pictures');
    expect(content).toEqual([{ type: 'text', text: 'Two:' }, PICTURE, PICTURE]);
  });

  eachRevision('leaves a failure that a tool has made a failure', async ({ connect }) => {
    const client = await connect((await openModule(zoo)).server);
    const content = [{ type: 'text', text: 'It failed.' }, PICTURE];
    expect(await client.callTool('fails')).toMatchObject({ content, isError: true });
  });

  eachRevision('leaves pictures of resources and prompts what they are', async ({ connect }) => {
    const client = await connect((await openModule(zoo)).server);
    const blob = { mimeType: 'image/png', blob: PICTURE.data };
    for (const uri of ['zoo://bytes', 'zoo://buffer', 'zoo://block'])
      expect((await client.readResource(uri)).contents).toEqual([{ uri, ...blob }]);
    expect((await client.readResource('zoo://pieces')).contents).toEqual([
      { uri: 'zoo://pieces', mimeType: 'text/plain', text: 'a' },
      { uri: 'zoo://pieces/b', ...blob },
    ]);
    const shown = { role: 'user', content: PICTURE };
    expect((await client.getPrompt('show')).messages).toEqual([shown]);
    const said = { role: 'assistant', content: { type: 'text', text: 'Nice.' } };
    expect((await client.getPrompt('talk')).messages).toEqual([shown, said, shown]);
    expect((await client.getPrompt('written')).messages).toEqual([shown]);
  });

  eachRevision('leaves what a tool of an extension answers with what it is', async ({ connect }) => {
    const client = await connect((await openModule(zoo, { extensions: [searchToolset()] })).server);
    const call = (name: string): ReturnType<typeof client.callTool> =>
      client.callTool('call_tool', { name, arguments: {} });
    expect((await call('picture')).content).toEqual([PICTURE]);
    expect(await call('fails')).toMatchObject({ isError: true });
  });
});

describe('what an interceptor changes', () => {
  const zoo = { providers: [Zoo, own] };

  eachRevision('in the data of a result is changed', async ({ connect }) => {
    const client = await connect((await openModule(zoo)).server);
    expect(await client.callTool('data')).toHaveText('{"name":"ada"}');
    const user = await client.callTool('user');
    expect(user).toMatchObject({ content: [{ type: 'text', text: 'ada' }], _meta: { 'zoo/a': 1 } });
    expect(JSON.stringify(user)).not.toContain('hunter2');
  });

  eachRevision('into another value is that value', async ({ connect }) => {
    const client = await connect((await openModule(zoo)).server);
    expect((await client.callTool('wrapped')).content).toMatchObject([{ text: expect.stringContaining('inside') }]);
    expect(JSON.stringify(await client.callTool('masked'))).not.toContain('secret');
    const described = await client.callTool('described');
    expect(described.content).toMatchObject([{ text: '{"type":"text","text":"a picture"}' }]);
  });
});

describe('a value', () => {
  const picture = image(PNG, 'image/png');
  const pieces = contents({ data: new User() });
  const failed = toolResult({ content: 'a', isError: true });
  const written = { messages: [picture] };

  it.each<[string, unknown, unknown]>([
    ['of another kind', picture, failed],
    ['that is no object', picture, 'a'],
    ['with other names than a result', failed, { content: 'a', data: 1 }],
    ['whose content is none', failed, { content: { a: 1 } }],
    ['in place of bytes', PNG, { 0: 137, 1: 80, 2: 78, 3: 0 }],
    ['that is bytes', PNG, Buffer.from('a')],
    ['in place of contents', pieces, { pieces: [1] }],
    ['that was emptied where a class had more', pieces, {}],
    ['that is contents', pieces, contents({ data: 'b' })],
    ['without messages', written, { description: 'a' }],
    ['in place of a message', userMessage(picture), { role: 'user', content: 'a' }],
    ['of a class without members', picture, new Map()],
    ['in place of plain data', { a: 1 }, { a: 2 }],
    ['that is a list in place of plain data', [1], [2]],
  ])('%s stays as it is', (_, returned, outcome) => {
    expect(withKind(returned, outcome)).toBe(outcome);
  });

  it('made by an interceptor with a mark stays as it is', () => {
    const other = image('AAAA', 'image/png');
    expect(withKind(picture, other)).toBe(other);
    expect(withKind(failed, toolResult({ content: 'b' }))).toEqual(toolResult({ content: 'b' }));
  });

  it('that lost its failure with its data keeps the failure', () => {
    const returned = toolResult({ content: 'a', structured: new User(), isError: true });
    expect(withKind(returned, {})).toEqual(failed);
    expect(withKind(written, {})).toBe(written);
  });
});
