/** Tools that change something that others watch. */
import { Feature, Resource, Server, ServerRegistry, Tool } from '@sigil-mcp/core';
import { IsString } from 'class-validator';
import { showsDefect } from './defect';

/** Names a counter. */
export class Counter {
  @IsString() name!: string;
}

/** Comes, and goes at once. */
const PASSING = { name: 'passing', description: 'Comes and goes', handler: () => 'gone' } as const;

/** Changes. */
@Feature()
export class ChangingTools {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly server: Server,
  ) {}

  @Resource('counter://{name}', { name: 'counter' })
  counter({ name }: Counter): string {
    return `the counter ${name}`;
  }

  @Tool('Says that a counter has changed')
  touch({ name }: Counter): string {
    if (!showsDefect('untold-changes')) this.server.notifyResourceChanged(`counter://${name}`);
    return `touched ${name}`;
  }

  @Tool('Adds a tool and removes it')
  change(): string {
    this.registry.add({ kind: 'tool', ...PASSING });
    this.registry.remove('tool', PASSING.name);
    return 'changed';
  }
}
