/** A server to try the client on: a guard, an injected service, progress, logs and a resource that changes. */
import {
  Feature,
  Injectable,
  McpContext,
  Prompt,
  Resource,
  Server,
  Tool,
  ToolFailure,
  UseGuards,
  assistantMessage,
  createServer,
  image,
  text,
  toolResult,
  userMessage,
  type Access,
  type Guard,
  type OnStop,
} from '@sigil-mcp/core';
import { IsArray, IsInt, IsString } from 'class-validator';

/** Knows the tide. */
@Injectable()
export class TideTable implements OnStop {
  stops = 0;

  height(): number {
    return 3;
  }

  onStop(): void {
    this.stops += 1;
  }
}

@Injectable()
class MayDock implements Guard {
  allows({ caller }: Access): boolean {
    return caller.scopes.includes('dock');
  }
}

class Ship {
  @IsString() name!: string;
}

class Permission {
  @IsString() captain!: string;
}

class Tide {
  @IsInt() height!: number;
  @IsString() harbour!: string;
  @IsArray() @IsString({ each: true }) ships!: string[];
}

@Feature()
class HarbourFeature {
  constructor(
    private readonly tides: TideTable,
    private readonly server: Server,
  ) {}

  @Tool('How high the water is', { output: Tide, readOnly: true })
  tide(): Tide {
    return { height: this.tides.height(), harbour: 'Bergen', ships: ['Ada', 'Bea'] };
  }

  @Tool('Which ships are there')
  ships(): string[] {
    return ['Ada', 'Bea'];
  }

  @Tool('Let a ship in')
  @UseGuards(MayDock)
  dock({ name }: Ship, context: McpContext): string {
    return `${name} docked for ${context.caller.id} (${JSON.stringify(context.caller.claims)})`;
  }

  @Tool('Who calls')
  whoami({ caller, headers }: McpContext): string {
    return `${caller.id} with ${caller.scopes.join(' ')}, ${String(headers['x-berth'])}`;
  }

  @Tool('Lift a container in two steps')
  async lift(context: McpContext): Promise<string> {
    context.log.info('lifting');
    await context.progress(1, 2, 'up');
    await context.progress(2, 2, 'down');
    return 'lifted';
  }

  @Tool('Let all ships go, if the captain says so')
  async leave(context: McpContext): Promise<string> {
    const { action } = await context.elicit(Permission, 'May they go?');
    return `The captain said: ${action}`;
  }

  @Tool('Fails')
  sink(): string {
    throw new ToolFailure('The ship has sunk.');
  }

  @Tool('A picture with words')
  picture() {
    return toolResult({
      content: [text('The harbour'), image(Buffer.from('png'), 'image/png'), text('at noon')],
    });
  }

  @Tool('The water has risen')
  rise(): string {
    this.server.notifyResourceChanged('harbour://tide');
    return 'risen';
  }

  @Resource('harbour://tide', { mimeType: 'application/json', description: 'The tide' })
  level(): object {
    return { height: this.tides.height() };
  }

  @Resource('harbour://ships/{name}', { mimeType: 'text/plain', description: 'One ship' })
  ship({ name }: Ship): string {
    return `The ship ${name}`;
  }

  @Prompt('Plan a trip by ship')
  trip({ name }: Ship) {
    return [userMessage(`Plan a trip on the ${name}.`), assistantMessage('Aye.')];
  }
}

/** A new one for each test. */
export const harbour = (): Server =>
  createServer({
    name: 'harbour',
    version: '1.0.0',
    features: [HarbourFeature],
    providers: [TideTable],
    logger: false,
    pageSize: 3,
  });
