/** What `docs/from-nestjs.md` says and shows: each habit of NestJS, and what it becomes. */
import {
  createServer,
  defineModule,
  Denial,
  Describe,
  Feature,
  Inject,
  Injectable,
  McpContext,
  PartialType,
  Resource,
  Tool,
  ToolFailure,
  UseGuards,
  UseInterceptors,
  type Call,
  type Access,
  type EntryFacts,
  type Guard,
  type Interceptor,
  type OnStart,
  type OnStop,
  type Verdict,
} from '@sigil-mcp/core';
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';
import { Transform } from 'class-transformer';
import { IsInt, IsString, Length, Min } from 'class-validator';

expect.extend(matchers);

const lines: string[] = [];

// #region provider
@Injectable()
export class CatsService implements OnStart, OnStop {
  readonly #cats = new Map<string, Cat>();

  constructor(@Inject('CATS_URL') private readonly url: string) {}

  async onStart(): Promise<void> {
    lines.push(`connected to ${this.url}`);
  }

  async onStop(): Promise<void> {
    lines.push('disconnected');
  }

  create(cat: Cat): void {
    this.#cats.set(cat.name, cat);
  }

  find(name: string): Cat | undefined {
    return this.#cats.get(name);
  }
}
// #endregion provider

// #region dto
export class Cat {
  @Describe('What it is called')
  @Transform(({ value }) => String(value).trim())
  @IsString()
  @Length(1, 30)
  name!: string;
  @Describe('In years') @IsInt() @Min(0) age: number = 1;
}

export class CatChanges extends PartialType(Cat) {}

export class CatName {
  @IsString() name!: string;
}
// #endregion dto

// #region roles
class Roles implements Guard {
  readonly #roles: readonly string[];

  constructor(...roles: string[]) {
    this.#roles = roles;
  }

  allows({ caller }: Access, _entry: EntryFacts): Verdict {
    if (!caller.isAuthenticated) return false;
    return this.#roles.includes(caller.id) || new Denial('Only keepers may do that.');
  }
}
// #endregion roles

// #region interceptor
@Injectable()
export class LoggingInterceptor implements Interceptor {
  async intercept({ method, entry }: Call, next: () => Promise<unknown>): Promise<unknown> {
    const result = await next();
    lines.push(`${method} ${entry?.key}`);
    return result;
  }
}
// #endregion interceptor

// #region feature
@Feature()
@UseInterceptors(LoggingInterceptor)
export class CatsFeature {
  constructor(private readonly cats: CatsService) {}

  @Tool('Adds a cat')
  @UseGuards(new Roles('keeper'))
  addCat(cat: Cat): string {
    this.cats.create(cat);
    return `Added ${cat.name}, ${cat.age}.`;
  }

  @Tool('Changes what is known of a cat')
  changeCat({ name = '', ...changes }: CatChanges): string {
    const cat = this.cats.find(name);
    if (!cat) throw new ToolFailure(`There is no cat called ${name}. List cats://all first.`);
    Object.assign(cat, changes);
    return `${cat.name} is ${cat.age} now.`;
  }

  @Resource('cats://{name}', { description: 'One cat' })
  cat({ name }: CatName): Cat | undefined {
    return this.cats.find(name);
  }
}
// #endregion feature

// #region request
@Injectable({ scope: 'request' })
export class CurrentKeeper {
  readonly name: string;

  constructor(context: McpContext) {
    this.name = context.caller.id;
  }
}

@Feature()
export class KeepersFeature {
  @Tool('Says who is asking')
  async whoAmI(context: McpContext): Promise<string> {
    const keeper = await context.get(CurrentKeeper);
    return `${keeper.name} with ${context.client.name}`;
  }
}
// #endregion request

// #region filter
export class TellTimeouts implements Interceptor {
  async intercept(_call: Call, next: () => Promise<unknown>): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        throw new ToolFailure('The zoo is slow. Try again later.');
      throw error;
    }
  }
}
// #endregion filter

@Feature()
class SlowFeature {
  @Tool('Asks the zoo')
  @UseInterceptors(TellTimeouts)
  askZoo(): string {
    throw Object.assign(new Error('zoo.example timed out'), { name: 'TimeoutError' });
  }

  @Tool('Has a bug') bug(): string {
    throw new Error('cats.find is not a function');
  }
}

// #region module
export const catsModule = defineModule({
  name: 'cats',
  features: [CatsFeature, KeepersFeature],
  providers: [CatsService, CurrentKeeper, { provide: 'CATS_URL', useFactory: () => 'db://cats' }],
});

export const server = createServer({
  name: 'zoo',
  version: '1.0.0',
  modules: [catsModule],
});
// #endregion module

describe('what a NestJS application has', () => {
  eachRevision('are controllers, which become features with their services', async ({ connect }) => {
    lines.length = 0;
    const zoo = server.override([]);
    const keeper = await connect(zoo, { as: 'keeper' });
    expect(await keeper.callTool('addCat', { name: ' Tom ', age: 3 })).toHaveText('Added Tom, 3.');
    expect(await keeper.callTool('changeCat', { name: 'Tom', age: 4 })).toHaveText('Tom is 4 now.');
    expect(await keeper.readResource('cats://Tom')).toHaveText(/"age":4/);
    await zoo.close();
    expect(lines).toEqual([
      'connected to db://cats',
      'tools/call addCat',
      'tools/call changeCat',
      'resources/read cats://{name}',
      'disconnected',
    ]);
  });

  eachRevision('are pipes, which become the classes themselves', async ({ connect }) => {
    const keeper = await connect(server.override([]), { as: 'keeper' });
    expect(await keeper.callTool('addCat', { name: 'Tom' })).toHaveText('Added Tom, 1.');
    const refused = keeper.callTool('addCat', { name: 'Tom', age: -1 }).then(JSON.stringify, String);
    expect(await refused).toContain('age: must not be less than 0');
    expect(await keeper.callTool('changeCat', { name: 'Tom' })).toHaveText('Tom is 1 now.');
  });

  eachRevision('are guards, which hide as well as refuse', async ({ connect }) => {
    const zoo = server.override([]);
    const stranger = await connect(zoo);
    expect((await stranger.listTools()).tools.map(({ name }) => name)).toEqual(['changeCat', 'whoAmI']);
    await expect(stranger.callTool('addCat', { name: 'Tom' })).rejects.toThrow('Unknown tool');
    const visitor = await connect(zoo, { as: 'visitor' });
    const answer = visitor.callTool('addCat', { name: 'Tom' }).then(JSON.stringify, String);
    expect(await answer).toContain('Only keepers may do that.');
  });

  eachRevision('are exceptions and filters, which become failures in words for a model', async ({ connect }) => {
    const slow = createServer({ name: 'zoo', version: '1.0.0', features: [SlowFeature], logger: false });
    const client = await connect(slow);
    expect(await client.callTool('askZoo')).toBeToolError('The zoo is slow. Try again later.');
    expect(await client.callTool('bug')).toBeToolError(/^Internal error \(id/);
    const visitor = await connect(server.override([]));
    expect(await visitor.callTool('changeCat', { name: 'Tim' })).toBeToolError(/There is no cat called Tim/);
  });

  eachRevision('are providers of the request', async ({ connect }) => {
    const ada = await connect(server.override([]), { as: 'ada', clientInfo: { name: 'desk', version: '1' } });
    expect(await ada.callTool('whoAmI')).toHaveText('ada with desk');
  });

  it('are testing modules', async () => {
    // #region test
    const client = await connect(server, {
      as: 'keeper',
      override: [{ provide: CatsService, useValue: { find: (name: string) => ({ name, age: 9 }) } }],
    });
    expect(await client.callTool('changeCat', { name: 'Tom' })).toHaveText('Tom is 9 now.');
    // #endregion test
    await client.close();
  });
});
