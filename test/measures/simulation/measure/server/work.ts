/** The feature of the server whose costs are measured. */
import { Feature, McpContext, Resource, Server, ServerRegistry, Tool } from '@sigil-mcp/core';
import { IsInt, IsString, Max, Min } from 'class-validator';

class Numbers {
  @IsInt()
  @Min(0)
  a!: number;

  @IsInt()
  @Max(1000)
  b!: number;
}

class Pause {
  @IsInt()
  @Max(60_000)
  milliseconds!: number;
}

class Place {
  @IsInt()
  id!: number;
}

class Word {
  @IsString()
  word!: string;
}

/** A tool that the tool `change` adds or removes. */
const PASSING = { name: 'passing', description: 'Comes and goes', handler: () => 'gone' } as const;

/** One tool for each operation. */
@Feature()
export class Work {
  constructor(
    private readonly server: Server,
    private readonly registry: ServerRegistry,
  ) {}

  @Tool('Says that a place has changed')
  touch({ id }: Place): string {
    this.server.notifyResourceChanged(`place://${id}`);
    return 'touched';
  }

  @Tool('Adds a tool, and removes it at once: one change of the list')
  change(): string {
    this.registry.add({ kind: 'tool', ...PASSING });
    this.registry.remove('tool', PASSING.name);
    return 'changed';
  }

  @Tool('Adds two numbers')
  add({ a, b }: Numbers): string {
    return String(a + b);
  }

  @Tool('Says how far it is, five times')
  async steps(context: McpContext): Promise<string> {
    for (let step = 1; step <= 5; step++) await context.progress(step, 5, `step ${step}`);
    return 'done';
  }

  @Tool('Waits until it is cancelled')
  async wait({ milliseconds }: Pause, context: McpContext): Promise<string> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      context.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    return 'waited';
  }

  @Tool('Asks for a word')
  async ask(context: McpContext): Promise<string> {
    const answer = await context.elicit(Word, 'Which word?');
    return answer.action === 'accept' ? answer.content.word : answer.action;
  }

  @Resource('place://{id}', { name: 'place' })
  place({ id }: Place): string {
    return `place ${id}`;
  }
}
