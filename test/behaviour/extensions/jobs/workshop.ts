/** A server with tools that may run as jobs. */
import {
  Denial,
  Feature,
  McpContext,
  Tool,
  ToolFailure,
  UseGuards,
  createServer,
  type Access,
  type Guard,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import { IsBoolean, IsString } from 'class-validator';
import { Slow, jobs } from './jobs';

class Piece {
  @IsString() name!: string;
}

class Approval {
  @IsBoolean() ok!: boolean;
}

class Closed implements Guard {
  allows(_access: Access): Denial {
    return new Denial('The shop is closed.');
  }
}

/** Calls that wait, by the name of their piece. */
export const waiting = new Map<string, { readonly finish: () => void; readonly signal: AbortSignal }>();

@Feature()
export class Workshop {
  @Tool('Says the piece') say({ name }: Piece): string {
    return `It is ${name}.`;
  }

  @Tool('Builds a piece, and waits until it is finished')
  @Slow({ timeout: 60_000 })
  async build({ name }: Piece, context: McpContext): Promise<string> {
    await context.progress(1, 2, 'half');
    if (name === 'broken') throw new ToolFailure('The piece broke.');
    if (name !== 'quick')
      await new Promise<void>((resolve, reject) => {
        waiting.set(name, { finish: resolve, signal: context.signal });
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error), { once: true });
      });
    return `Built ${name}.`;
  }

  @Tool('Builds a piece if the user wants it')
  @Slow({ timeout: 60_000 })
  async approve({ name }: Piece, context: McpContext): Promise<string> {
    const answer = await context.elicit<Approval>(Approval, `Build ${name}?`);
    return answer.action === 'accept' && answer.content.ok ? `Built ${name}.` : 'Nothing was built.';
  }

  @Tool('Is never allowed') @Slow({ timeout: 1000 }) @UseGuards(Closed) locked(): string {
    return 'open';
  }
}

export function workshop(options: Partial<ServerOptions> = {}): Server {
  return createServer({
    name: 'workshop',
    version: '1.0.0',
    features: [Workshop],
    extensions: [jobs()],
    logger: false,
    ...options,
  });
}
