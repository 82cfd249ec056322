/** What `docs/providers.md` says and shows. */
import {
  createServer,
  DefinitionError,
  Feature,
  Inject,
  Injectable,
  McpContext,
  Tool,
  type Call,
  type Guard,
  type OnStart,
  type OnStop,
} from '@sigil-mcp/core';
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { turn } from '../../support/turn';

expect.extend(matchers);

const events: string[] = [];

class Item {
  @IsString() item!: string;
}

// #region shared
@Injectable()
export class Database implements OnStart, OnStop {
  constructor(@Inject('DATABASE_URL') private readonly url: string) {}

  async onStart(): Promise<void> {
    events.push(`connected to ${this.url}`);
  }

  async onStop(): Promise<void> {
    events.push('disconnected');
  }

  async begin(tenant: string): Promise<Transaction> {
    return new Transaction(tenant);
  }
}
// #endregion shared

class Transaction {
  isOpen = true;
  constructor(readonly tenant: string) {}
}

// #region per-call
@Injectable({ scope: 'request' })
export class UnitOfWork implements OnStart, OnStop {
  #transaction: Transaction | undefined;

  constructor(
    private readonly database: Database,
    private readonly context: McpContext,
  ) {}

  async onStart(): Promise<void> {
    this.#transaction = await this.database.begin(this.context.caller.id);
  }

  order(item: string): string {
    return `${item} for ${this.#transaction?.tenant}`;
  }

  onStop(): void {
    events.push('released');
  }
}

@Feature()
export class OrdersFeature {
  @Tool('Orders something')
  async order({ item }: Item, context: McpContext): Promise<string> {
    const work = await context.get(UnitOfWork);
    return work.order(item);
  }
}
// #endregion per-call

// #region guard
class NotTooMany implements Guard {
  allows(): boolean {
    return true;
  }

  async allowsCall({ context }: Call): Promise<boolean> {
    const work = await context.get(UnitOfWork);
    return work.order('').length < 100;
  }
}
// #endregion guard

// #region server
const server = createServer({
  name: 'shop',
  version: '1.0.0',
  features: [OrdersFeature],
  providers: [
    UnitOfWork,
    { provide: 'DATABASE_URL', useValue: 'db://shop' },
    {
      provide: 'LANGUAGE',
      scope: 'request',
      useFactory: (context: McpContext) => context.headers['accept-language'] ?? 'en',
      inject: [McpContext],
    },
  ],
});
// #endregion server

eachRevision('what is made for a call is made of the caller, and released', async ({ connect }) => {
  events.length = 0;
  const client = await connect(server, { as: 'ada' });
  expect(await client.callTool('order', { item: 'tea' })).toHaveText('tea for ada');
  await turn();
  expect(events.filter((event) => event === 'released')).toEqual(['released']);
});

it('guards see it, too', async () => {
  const guarded = createServer({
    name: 'shop',
    version: '1.0.0',
    features: [OrdersFeature],
    providers: [UnitOfWork, { provide: 'DATABASE_URL', useValue: 'db://shop' }],
    guards: [NotTooMany],
  });
  const client = await connect(guarded, { as: 'ada' });
  expect(await client.callTool('order', { item: 'tea' })).toHaveText('tea for ada');
  await client.close();
  await guarded.close();
});

it('what is made once cannot depend on it', () => {
  // #region chain
  @Injectable()
  class OrderMail {
    constructor(readonly work: UnitOfWork) {}
  }
  // #endregion chain
  const define = (): unknown =>
    createServer({
      name: 'shop',
      version: '1.0.0',
      providers: [OrderMail, { provide: 'DATABASE_URL', useValue: '' }],
    });
  expect(define).toThrow(DefinitionError);
  expect(define).toThrow(
    'OrderMail: it is created once, but depends on UnitOfWork, which is created for each call (OrderMail -> UnitOfWork).',
  );
});
