/** What the class of an entity keeps back reaches no client, on any revision: without a declared output, and in logs. */
import { Feature, McpContext, Resource, Tool, createServer } from '@sigil-mcp/core';
import { Exclude, Expose } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';
import { eachRevision } from './checked';

class User {
  @IsString() name = 'Ann';
  @Exclude() password = 'SECRET';
  @Expose({ groups: ['admin'] }) @IsString() salary = 'SECRET';
}

class Change {
  @IsString() name!: string;
  @Expose({ groups: ['admin'] }) @IsOptional() @IsString() role?: string;
}

@Feature()
class Users {
  @Tool('One') one(): User {
    return new User();
  }

  @Tool('All') all(): unknown {
    return { users: [new User()] };
  }

  @Tool('Declared', { output: User }) declared(): User {
    return new User();
  }

  @Tool('Logs') log(context: McpContext): string {
    context.log.error('seen', { user: new User() });
    return 'logged';
  }

  @Tool('Changes') change(change: Change): string {
    return JSON.stringify(change);
  }

  @Resource('user://me') me(): User {
    return new User();
  }
}

const server = createServer({ name: 'users', version: '1.0.0', features: [Users], logger: false });

eachRevision('excluded properties are in no result, no schema and no log entry', async ({ connect }) => {
  const client = await connect(server);
  for (const name of ['one', 'all', 'declared', 'log']) await client.callTool(name);
  await client.listTools();
  await client.readResource('user://me');
  const texts = client.traffic.map(({ text }) => text).join('\n');
  expect(texts).toContain('Ann');
  expect(texts).not.toMatch(/SECRET|salary|password|role/);
});

eachRevision('what is kept back is not taken as an argument', async ({ connect }) => {
  const client = await connect(server);
  const answer = await client.callTool('change', { name: 'n', role: 'admin' }).catch((error: unknown) => error);
  expect(String(answer) + JSON.stringify(answer)).toContain('role: is not a known property');
});
