/** A server whose tools are tasks, one for each way in which a task can go. */
import 'reflect-metadata';
import {
  createServer,
  Denial,
  Feature,
  isSuspension,
  McpContext,
  Tool,
  ToolFailure,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import { startTask, tasks, type TasksOptions } from '@sigil-mcp/tasks';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** What is baked. */
export class Bread {
  @IsString()
  name!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  pieces?: number;
}

/** Yes or no. */
export class Approval {
  @IsBoolean()
  ok!: boolean;
}

/** A number of pieces. */
export class Amount {
  @IsInt()
  pieces!: number;
}

/** What has happened in this process, for tests that run in it. */
export interface BakeryLog {
  readonly lines: string[];
}

/** The features of one bakery. */
export function bakeryFeature(log: BakeryLog): new () => object {
  const say = (line: string): void => void log.lines.push(line);

  @Feature()
  class Bakery {
    @Tool('Says what is baked today')
    today(): string {
      return 'Rye.';
    }

    @Tool('Bakes', { task: 'optional' })
    async bake({ name, pieces = 1 }: Bread, context: McpContext): Promise<string> {
      for (let done = 1; done <= pieces; done += 1) {
        await context.progress(done, pieces, `baked ${done} of ${pieces}`);
        await new Promise(setImmediate);
      }
      return `Baked ${pieces} ${name}.`;
    }

    @Tool('Bakes what the customer approves', { task: 'optional' })
    async approve({ name }: Bread, context: McpContext): Promise<string> {
      const order = await context.once('order', () => {
        say(`ordered ${name}`);
        return { id: context.onceId('order') };
      });
      say(`asking ${name}`);
      const { action } = await context.elicit(Approval, `Bake ${name}?`, { key: 'approval' });
      say(`answered ${name}`);
      const { id } = await context.once('order', () => Promise.reject(new Error('ordered again')));
      if (id !== order.id) throw new Error('another order');
      return action === 'accept' ? `Baked ${name}.` : 'Nothing was baked.';
    }

    @Tool('Asks two things at the same time', { task: 'optional' })
    async pair(context: McpContext): Promise<string> {
      const [amount, approval] = await Promise.all([
        context.elicit(Amount, 'How many?', { key: 'amount' }),
        context.elicit(Approval, 'Really?', { key: 'approval' }),
      ]);
      return `${amount.action === 'accept' ? amount.content.pieces : 'no'} pieces, ${approval.action}`;
    }

    @Tool('Asks one thing after the other', { task: 'optional' })
    async steps(context: McpContext): Promise<string> {
      const answers: string[] = [];
      for (const step of [1, 2, 3]) {
        const { action } = await context.elicit(Approval, `Step ${step}?`);
        answers.push(action);
      }
      return answers.join(' ');
    }

    @Tool('Bakes until it is cancelled', { task: 'optional' })
    async forever({ name }: Bread, context: McpContext): Promise<string> {
      say(`started ${name}`);
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
      say(`aborted ${name}`);
      throw new Error('stopped');
    }

    @Tool('Fails', { task: 'optional' })
    burn(): never {
      throw new ToolFailure('It is burnt.');
    }

    @Tool('Breaks by mistake', { task: 'optional' })
    drop(): never {
      throw new Error('a secret detail');
    }

    @Tool('Is refused', { task: 'optional' })
    refuse(): never {
      throw new Denial('The oven is cold.', { code: 4711, data: { oven: 1 } });
    }

    @Tool('Is a task or nothing', { name: 'night-shift', task: 'required' })
    nightShift(): string {
      return 'Baked all night.';
    }

    @Tool('Asks, becomes a task, and asks again', {
      task: { support: 'optional', starts: 'in-handler', ttl: 60_000, pollInterval: 250 },
    })
    async later({ name }: Bread, context: McpContext): Promise<string> {
      say(`run ${name}`);
      const { action } = await context.elicit(Approval, `Take ${name}?`, { key: 'first' });
      if (action !== 'accept') return 'Nothing was taken.';
      const made = await context.once('made', () => {
        say(`made ${name}`);
        return context.onceId('made');
      });
      await startTask(context);
      const second = await context.elicit(Approval, `Wrap ${name}?`, { key: 'second' });
      return `${name} ${second.action} ${made === context.onceId('made')}`;
    }

    @Tool('Asks the model', { task: 'optional' })
    async taste(context: McpContext): Promise<string> {
      const { text } = await context.sample('How does it taste?', { key: 'taste' });
      return text;
    }

    @Tool('Swallows its suspension', { task: 'optional' })
    async swallow(context: McpContext): Promise<string> {
      try {
        await context.elicit(Approval, 'Swallow?', { key: 'swallow' });
        return 'answered';
      } catch (error) {
        say(`ended ${isSuspension(error)}`);
        throw error;
      }
    }
  }
  return Bakery;
}

/** The options of a bakery. */
export function bakeryDefinition(
  log: BakeryLog = { lines: [] },
  options?: TasksOptions,
): Omit<ServerOptions, 'name' | 'version'> {
  return { features: [bakeryFeature(log)], extensions: [tasks(options)] };
}

/** A bakery. */
export function bakery(log?: BakeryLog, options?: TasksOptions, more: Partial<ServerOptions> = {}): Server {
  return createServer({ name: 'bakery', version: '1.0.0', logger: false, ...bakeryDefinition(log, options), ...more });
}
