/** A small server with one of each: what the tests over all revisions talk to. */
import { IsEnum, IsInt, IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { ContentBlock, PromptMessage } from '@sigil-mcp/protocol';
import {
  Complete,
  Describe,
  Feature,
  McpContext,
  Prompt,
  Resource,
  Tool,
  ToolFailure,
  assistantMessage,
  audio,
  createServer,
  embedded,
  image,
  resourceLink,
  text,
  toolResult,
  userMessage,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';

export enum Wood {
  Oak = 'oak',
  Pine = 'pine',
}

export class Cut {
  @Describe('What to cut') @IsEnum(Wood) wood!: Wood;
  @IsInt() @Min(1) @Max(100) pieces: number = 2;
}

export class Board {
  @IsString() wood!: string;
  @IsNumber({}, { each: true }) lengths!: number[];
}

export class Named {
  @IsString() @Length(1, 40) name!: string;
  @IsOptional() @IsInt() copies?: number;
}

export class ItemId {
  @IsInt() id!: number;
}

export const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
export const WAV = Buffer.from('UklGRg==', 'base64');

@Feature()
export class Workshop {
  /** What handlers were given, for tests to look at. */
  readonly seen: unknown[] = [];

  @Tool('Cuts wood', { title: 'Saw', output: Board, readOnly: false, destructive: true })
  cut(cut: Cut): Board {
    this.seen.push(cut);
    return Object.assign(new Board(), { wood: cut.wood, lengths: [cut.pieces, 1.5], secret: 'not declared' });
  }

  @Tool('Says it again')
  echo({ name, copies }: Named): string {
    return name.repeat(copies ?? 1);
  }

  @Tool('Counts the tools')
  count(): number {
    return 7;
  }

  @Tool('Lists the tools')
  shelf(): unknown {
    return ['saw', 'plane'];
  }

  @Tool('Says nothing')
  nothing(): void {}

  @Tool('Shows everything', { meta: { 'workshop.example/kind': 'show' } })
  show(): unknown {
    return toolResult({
      content: [
        text('Here it is', { annotations: { audience: ['user'], priority: 0.5 } }),
        image(PNG, 'image/png'),
        audio(WAV, 'audio/wav'),
        resourceLink({ uri: 'shop://plan', name: 'plan', mimeType: 'text/plain' }),
        embedded({ uri: 'shop://note', mimeType: 'text/plain', text: 'a note' }),
        embedded({ uri: 'shop://bytes', mimeType: 'application/octet-stream', blob: PNG }),
      ],
      meta: { 'workshop.example/took': 3 },
    });
  }

  @Tool('Looks like content, but is data')
  lookalike(): unknown {
    return { type: 'text', text: 'I am data' };
  }

  @Tool('Takes a photograph', { mimeType: 'image/png' })
  photograph(): Buffer {
    return PNG;
  }

  @Tool('Fails so that a model can read it')
  fail(): never {
    throw new ToolFailure('The saw is blunt. Sharpen it first.');
  }

  @Tool('Fails unexpectedly')
  crash(): never {
    throw new Error('password=hunter2');
  }

  @Tool('Returns what does not fit', { output: Board })
  lie(): Board {
    return { wood: 5, lengths: 'many' } as unknown as Board;
  }

  @Resource('shop://plan', { title: 'The plan', description: 'What to build', mimeType: 'text/markdown', size: 5 })
  plan(): string {
    return '# Bed';
  }

  @Resource('shop://logo', {
    mimeType: 'image/png',
    annotations: { audience: ['user'], lastModified: '2026-01-01T00:00:00Z' },
  })
  logo(): Buffer {
    return PNG;
  }

  @Resource('shop://items/{id}', { name: 'item', mimeType: 'application/json' })
  item({ id }: ItemId): unknown {
    this.seen.push(id);
    return { id };
  }

  @Complete('id', 'item')
  itemIds(prefix: string): string[] {
    return Array.from({ length: 250 }, (_, index) => String(index)).filter((id) => id.startsWith(prefix));
  }

  @Prompt('Writes a letter', { title: 'Letter' })
  letter({ name, copies }: Named, context: McpContext): (PromptMessage | ContentBlock | string)[] {
    this.seen.push(copies, context.client.name);
    return [
      userMessage(`Dear ${name}`),
      assistantMessage('Yes?'),
      embedded({ uri: 'shop://note', mimeType: 'text/plain', text: 'a note' }),
      image(PNG, 'image/png'),
      'Thank you.',
    ];
  }

  @Prompt('Greets')
  greet(): string {
    return 'Say hello.';
  }

  @Complete('name', 'letter')
  names(prefix: string, context: McpContext): string[] {
    return [`${prefix}a`, `${prefix}b`, context.request.method];
  }
}

/** A server of the workshop, silent unless a test wants its log. */
export function workshop(options: Partial<ServerOptions> = {}): Server {
  return createServer({ name: 'workshop', version: '1.2.3', features: [Workshop], logger: false, ...options });
}
