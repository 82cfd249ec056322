/** What `docs/how-to/guards-and-interceptors.md` says and shows. */
import {
  createServer,
  Denial,
  Feature,
  Injectable,
  Tool,
  UseGuards,
  UseInterceptors,
  isSuspension,
  McpContext,
  type Access,
  type Call,
  type EntryFacts,
  type Guard,
  type Interceptor,
  type Verdict,
} from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsBoolean, IsInt, Max } from 'class-validator';

expect.extend(matchers);

const steps: string[] = [];

class Amount {
  @IsInt() @Max(100) amount!: number;
}

// #region hide
/** Hides what only employees may know of. */
@Injectable()
class Employees implements Guard {
  readonly dependsOn = 'rights';

  allows({ caller }: Access): boolean {
    return caller.hasRole('employee');
  }
}
// #endregion hide

@Injectable()
class Clock {
  hour = 9;
}

// #region refuse
/** Tells why a call may not go on now. */
@Injectable()
class OpeningHours implements Guard {
  constructor(private readonly clock: Clock) {}

  allows(_access: Access, _entry: EntryFacts): boolean {
    return true;
  }

  allowsCall(_call: Call): Verdict {
    if (this.clock.hour >= 8) return true;
    return new Denial('The bank opens at eight.', { status: 503, retryAfter: (8 - this.clock.hour) * 3600 });
  }
}
// #endregion refuse

// #region interceptor
/** Writes down who did what, and how it ended. */
class Audit implements Interceptor {
  async intercept({ entry, context, input }: Call, next: () => Promise<unknown>): Promise<unknown> {
    try {
      const result = await next();
      context.log.info('done', { what: entry?.key, who: context.caller.id, input });
      return result;
    } catch (error) {
      // A question that waits for its answer is not a failure: the client sends its request again with the answer.
      if (!isSuspension(error)) context.log.warning('failed', { what: entry?.key, who: context.caller.id });
      throw error;
    }
  }
}
// #endregion interceptor

const step = (name: string): new () => Interceptor =>
  class implements Interceptor {
    intercept({ input }: Call, next: () => Promise<unknown>): Promise<unknown> {
      steps.push(input === undefined ? `${name}, nothing read` : `${name}, read`);
      return next();
    }
  };
const asks = (name: string): new () => Guard =>
  class implements Guard {
    allows(): boolean {
      steps.push(`${name} guard`);
      return true;
    }
  };

// #region where
@Feature()
@UseGuards(Employees)
class Bank {
  @Tool('Moves money')
  @UseGuards(OpeningHours)
  @UseInterceptors(Audit)
  move({ amount }: Amount): string {
    return `Moved ${amount}.`;
  }
}

const server = createServer({ name: 'bank', version: '1.0.0', features: [Bank], providers: [Clock], logger: false });
// #endregion where

@Feature()
@UseGuards(asks('class'))
@UseInterceptors(step('class interceptor'))
class Watched {
  @Tool('Is watched')
  @UseGuards(asks('method'))
  @UseInterceptors(step('method interceptor'))
  look(_amount: Amount): string {
    steps.push('handler');
    return 'seen';
  }
}

const watched = createServer({
  name: 'watched',
  version: '1.0.0',
  features: [Watched],
  guards: [asks('server')],
  interceptors: [step('server interceptor')],
  logger: false,
});

eachRevision('a guard that says no hides the entry, in lists and in calls', async ({ connect }) => {
  const stranger = await connect(server, { as: 'bob' });
  await expect(stranger).not.toListTool('move');
  await expect(stranger.callTool('move', { amount: 1 })).rejects.toBeRpcError(-32602, 'Unknown tool');
  const employee = await connect(server, { as: { id: 'ada', roles: ['employee'] } });
  await expect(employee).toListTool('move');
  expect(await employee.callTool('move', { amount: 1 })).toHaveText('Moved 1.');
});

eachRevision('a denial says why, and when to try again', async ({ connect }) => {
  const client = await connect(server, {
    as: { id: 'ada', roles: ['employee'] },
    override: [{ provide: Clock, useValue: { hour: 6 } }],
  });
  await expect(client).toListTool('move');
  await expect(client.callTool('move', { amount: 1 })).rejects.toThrow('The bank opens at eight.');
});

class Sure {
  @IsBoolean() sure!: boolean;
}

@Feature()
@UseInterceptors(Audit)
class Vault {
  @Tool('Asks before it opens')
  async open(context: McpContext): Promise<string> {
    const answer = await context.elicit(Sure, 'Open it?');
    return answer.action;
  }
}

eachRevision(
  'an audit writes one line for a call that asks, and no failure',
  async ({ connect }) => {
    const vault = createServer({ name: 'vault', version: '1.0.0', features: [Vault], logger: false });
    const client = await connect(vault, { answers: () => ({ action: 'accept', content: { sure: true } }) });
    const answer = await client.callTool('open', {}, { logLevel: 'info' });
    expect(answer).toHaveText('accept');
    const lines = client.notifications('notifications/message').map(({ params }) => params);
    expect(lines).toMatchObject([{ level: 'info' }]);
    expect(JSON.stringify(lines)).toContain('done');
  },
  { since: '2025-06-18' },
);

eachRevision('a call goes through everything in this order', async ({ connect }) => {
  const client = await connect(watched);
  steps.length = 0;
  await client.callTool('look', { amount: 1 });
  expect(steps.filter((name, index) => steps.indexOf(name) === index)).toEqual([
    'server interceptor, nothing read',
    'server guard',
    'class guard',
    'method guard',
    'class interceptor, read',
    'method interceptor, read',
    'handler',
  ]);
});

eachRevision(
  'arguments that do not fit are met by guards and by the interceptors of the server alone',
  async ({ connect }) => {
    const client = await connect(watched);
    steps.length = 0;
    await client.callTool('look', { amount: 101 }).catch(() => undefined);
    expect(new Set(steps)).toEqual(
      new Set(['server interceptor, nothing read', 'server guard', 'class guard', 'method guard']),
    );
  },
);
