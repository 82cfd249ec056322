/** What a program that starts a server can see of it on a channel: what its entries declare and the protocol does not list. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IsBoolean, IsIn, IsString } from 'class-validator';
import { connect } from '@sigil-mcp/testing';
import { createServer, Describe, Feature, Prompt, Resource, Roles, Tool, UseGuards, type ServerRegistry } from '../src';

class Sure {
  @Describe('Whether to do it') @IsBoolean() sure: boolean = false;
}

class Title {
  @IsString() title!: string;
}

class Mood {
  @IsIn(['calm', 'funny']) mood: string = 'calm';
}

@Feature()
class Books {
  @Tool('Gives a book away', { asks: [Sure] })
  @UseGuards(Roles('owner', 'admin'))
  giveAway({ title }: Title): string {
    return title;
  }

  @Prompt('What to read', { asks: [Sure] })
  recommend({ mood }: Mood): string {
    return mood;
  }

  @Resource('books://{title}', { asks: [Sure] })
  card({ title }: Title): string {
    return title;
  }

  @Resource('books://all')
  all(): string {
    return '';
  }
}

const started: unknown[] = [];
const note = (message: unknown): void => void started.push(message);
beforeEach(() => subscribe('sigil:server:start', note));
afterEach(() => {
  unsubscribe('sigil:server:start', note);
  started.length = 0;
});

it('has the forms that entries declare, the schemas of their arguments, and the roles that callers need', async () => {
  const server = createServer({ name: 'books', version: '1', features: [Books], logger: false });
  expect(started).toEqual([]);
  await connect(server);
  const [{ registry }] = started as [{ registry: ServerRegistry }];
  expect([started.length, registry === server.registry]).toEqual([1, true]);
  const asks = [{ type: 'object', properties: { sure: expect.objectContaining({ type: 'boolean', default: false }) } }];
  expect([...registry.entries('tool')]).toMatchObject([
    { key: 'giveAway', asks, policy: { roles: [['owner', 'admin']] }, input: { required: ['title'] } },
  ]);
  expect([...registry.entries('prompt')]).toMatchObject([
    { asks, input: { properties: { mood: { enum: ['calm', 'funny'], default: 'calm' } } } },
  ]);
  expect([...registry.entries('resource-template')]).toMatchObject([
    { asks, input: { properties: { title: { type: 'string' } } } },
  ]);
  expect([...registry.entries('resource')]).toMatchObject([{ asks: [], input: undefined }]);
});

it('has each server once, and not one that cannot start', async () => {
  const server = createServer({ name: 'books', version: '1', features: [Books], logger: false });
  await connect(server);
  await connect(server);
  expect(started).toHaveLength(1);
  class Broken {
    onStart(): Promise<void> {
      return Promise.reject(new Error('no disk'));
    }
  }
  const broken = createServer({ name: 'broken', version: '1', features: [Books], providers: [Broken], logger: false });
  await expect(connect(broken)).rejects.toThrow('no disk');
  expect(started).toHaveLength(1);
});
