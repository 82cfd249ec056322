/** What docs/deployment.md lets a user of Redis do is enough for the store of tasks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { describeTaskStore } from '@sigil-mcp/tasks/testing';
import { RedisServer } from '../../../../test/support/supplies/redis-server';
import { describeWith } from '../../../../test/support/supplies/supply';

const page = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'deployment.md'), 'utf8');
/** A line of the file of users, which ACL SETUSER takes as well, and the commands for tasks. */
const [, rules = ''] = /^user weather on (.*)$/m.exec(page) ?? [];
const [, more = ''] = /`redisTasks`[^`]*`@sigil-mcp\/tasks\/redis`\) needs more commands, `([^`]+)`/.exec(page) ?? [];
const [, prefix = ''] = /\{ prefix: '([^']+)' \}/.exec(page) ?? [];

describeWith('redis-server', 'a user of Redis who may do what the guide says', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
    const words = `on ${rules.replace('<password>', 'secret')} ${more}`.split(' ');
    await server.command('ACL', 'SETUSER', 'weather', ...words);
  });
  afterAll(() => server.stop());

  let opened = 0;
  describeTaskStore('has a store of tasks', async () => {
    const clients = [0, 1].map(() => {
      const client = createClient({ url: server.url, username: 'weather', password: 'secret' });
      client.on('error', () => undefined);
      return client;
    });
    await Promise.all(clients.map((client) => client.connect()));
    const options = { prefix: `${prefix}:${++opened}`, commandTimeout: 20_000 };
    const [store, another] = clients.map((client) => redisTasks(client, options));
    if (!store || !another) throw new Error('There are no clients.');
    return { store, another, close: () => clients.forEach((client) => client.destroy()) };
  });
});
