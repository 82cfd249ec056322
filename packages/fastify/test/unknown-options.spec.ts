/** Options that do not exist, or are of another kind, at every place where a server is served over HTTP. */
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { HttpTransport, mcpPlugin } from '@sigil-mcp/fastify';
import { createHttpHandler } from '@sigil-mcp/http';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { createLambdaHandler } from '@sigil-mcp/http/lambda';
import { createNodeHandler } from '@sigil-mcp/http/node';
import Fastify from 'fastify';

@Feature()
class Hello {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }
}

const server = createServer({ name: 'hello', version: '1.0.0', features: [Hello], logger: false });

describe.each<[string, (options: object) => unknown]>([
  ['HttpTransport', (options) => new HttpTransport(options)],
  ['mcpPlugin', (options) => mcpPlugin(Fastify(), { server, ...options })],
  ['createHttpHandler', (options) => createHttpHandler(server, options)],
  ['createFetchHandler', (options) => createFetchHandler(server, options)],
  ['createNodeHandler', (options) => createNodeHandler(server, options)],
  ['createLambdaHandler', (options) => createLambdaHandler(server, options)],
])('the options of %s', (name, make) => {
  it.each([
    [{ allowedHost: ['a.example'] }, '{ allowedHost }): there is no such option.', 'Did you mean allowedHosts?'],
    [{ allowedHosts: 'a.example' }, '{ allowedHosts }): it is "a.example".', 'Pass an array of texts.'],
    [{ sessions: { idle: 1000 } }, '{ sessions: { idle } }): there is no such option.', 'Did you mean idleTime?'],
    [{ sessions: true }, '{ sessions }): it is true.', 'Pass false or an object with idleTime, maximum.'],
    [{ stream: 'json' }, '{ stream }): it is "json".', "Pass 'auto', 'always' or 'buffered'."],
    [{ health: { memmory: true } }, '{ health: { memmory } }): there is no such option.', 'Did you mean memory?'],
    [
      { sse: { messagePath: '/m' } },
      '{ sse: { messagePath } }): there is no such option.',
      'Did you mean messagesPath?',
    ],
    [{ keepAliveInterval: '15s' }, '{ keepAliveInterval }): it is "15s".', 'Pass milliseconds, more than 0.'],
  ])('are refused as %j', async (options, message, fix) => {
    const started = async (): Promise<unknown> => make(options);
    await expect(started()).rejects.toThrow(`${name}(${message}`);
    await expect(started()).rejects.toThrow(fix);
  });
});
