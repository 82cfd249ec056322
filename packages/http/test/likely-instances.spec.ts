/** A server whose sessions are in one process says so where there are probably several. */
import { MemoryStores } from '@sigil-mcp/core/stores';
import { likelyInstances } from '../src/options/endpoint-options';
import { serve, type OpenServer } from '../../../test/behaviour/http/http-server';

it.each([
  [{}, true, 'this process is a worker of node:cluster'],
  [{ NODE_APP_INSTANCE: '0' }, false, undefined],
  [{ NODE_APP_INSTANCE: '2' }, false, 'NODE_APP_INSTANCE is 2'],
  [{ WEB_CONCURRENCY: '1' }, false, undefined],
  [{ WEB_CONCURRENCY: '4' }, false, 'WEB_CONCURRENCY is 4'],
  [{ DYNO: 'web.1' }, false, undefined],
  [{ DYNO: 'web.12' }, false, 'this is the dyno web.12'],
  [{ DYNO: 'run.2.3' }, false, undefined],
  [{ K_SERVICE: 'weather' }, false, 'Cloud Run starts several instances under load'],
  [{ PATH: '/bin' }, false, undefined],
])('%j, a worker %s: %s', (env, inCluster, reason) => {
  expect(likelyInstances(env, inCluster)).toBe(reason);
});

describe('a server where WEB_CONCURRENCY is 2', () => {
  let open: OpenServer;
  const warnings: string[] = [];
  const warn = (_fields: object, message: string): void => void warnings.push(message);
  const logger = { debug: () => undefined, info: () => undefined, error: () => undefined, warn };
  beforeEach(() => {
    warnings.length = 0;
    process.env['WEB_CONCURRENCY'] = '2';
  });
  afterEach(async () => {
    delete process.env['WEB_CONCURRENCY'];
    await open.close();
  });

  it('warns once that sessions are kept in this process, with what to do', async () => {
    open = await serve({ logger });
    expect(warnings).toEqual([
      expect.stringMatching(/^Sessions are stored in this process.*createServer\({ stores }\)/),
    ]);
  });

  it('is silent without sessions', async () => {
    open = await serve({ logger }, { sessions: false });
    expect(warnings).toEqual([]);
  });

  it('is silent with stores, but for secrets that are missing', async () => {
    open = await serve({ logger, stores: new MemoryStores() });
    expect(warnings).toEqual([expect.stringContaining('SIGIL_SECRETS')]);
  });

  it('is silent with stores and secrets', async () => {
    open = await serve({ logger, stores: new MemoryStores(), requestState: { secrets: ['s'.repeat(32)] } });
    expect(warnings).toEqual([]);
  });
});
