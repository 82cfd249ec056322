/** The settings of the authorization server match those of this server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES, authOf } from '../src/auth';
import { PEOPLE } from '../src/development-issuer';
import { readSettings } from '../src/settings';

const folder = join(__dirname, '..');
const compose = readFileSync(join(folder, 'compose.yaml'), 'utf8');
const realm = JSON.parse(readFileSync(join(folder, 'keycloak', 'realm.json'), 'utf8')) as {
  realm: string;
  clientScopes: { name: string; protocolMappers: { config: Record<string, string> }[] }[];
  clients: { clientId: string; publicClient: boolean; optionalClientScopes: string[] }[];
  users: { username: string; groups: string[] }[];
};
const settings = readSettings({
  ISSUER: /ISSUER: (\S+)/.exec(compose)?.[1],
  RESOURCE: /RESOURCE: (\S+)/.exec(compose)?.[1],
});

it('the realm is the issuer, and its tokens are issued for this server', () => {
  expect(settings.issuer).toBe(`${/KC_HOSTNAME: (\S+)/.exec(compose)?.[1]}/realms/${realm.realm}`);
  const scopes = realm.clientScopes.filter(({ name }) => name.startsWith('notes:'));
  expect(scopes.map(({ name }) => name)).toEqual(SCOPES);
  for (const { protocolMappers } of scopes)
    expect(protocolMappers.map(({ config }) => config['included.custom.audience'])).toEqual([settings.resource]);
  expect(authOf(settings.issuer ?? '', settings)).toMatchObject({ resource: settings.resource });
});

it('the realm and the development issuer have the same users', () => {
  expect(realm.users.map(({ username, groups }) => [username, groups])).toEqual(
    Object.entries(PEOPLE).map(([name, { claims }]) => [name, [`/${String(claims?.['tenant'])}`]]),
  );
  expect(realm.clients).toMatchObject([{ clientId: 'sigil', publicClient: true, optionalClientScopes: SCOPES }]);
});

it.each(['x', '-1', '65536', '3000.5'])('rejects %s as a port', (PORT) => {
  expect(() => readSettings({ PORT })).toThrow(`PORT is "${PORT}", which is not a port number.`);
});

it('listens on loopback, with the development issuer, by default', () => {
  expect(readSettings({ AUDIENCE: 'a, b,' })).toEqual({
    port: 3000,
    host: '127.0.0.1',
    resource: 'http://127.0.0.1:3000/mcp',
    issuer: undefined,
    audience: ['a', 'b'],
    redis: undefined,
    audit: undefined,
    metricsPort: undefined,
  });
});

const instance = {
  REDIS_URL: 'rediss://user:password@redis.example:6380',
  SIGIL_SECRETS: 'a secret that all of the instances know',
  ISSUER: 'https://id.example',
  RESOURCE: 'https://notes.example/mcp',
};

it('is one of several instances if a Redis is named', () => {
  expect(readSettings(instance).redis).toBe(instance.REDIS_URL);
});

it('records an audit and serves metrics if that is set', () => {
  const SIGIL_AUDIT_SECRET = 'a secret that verifies the records';
  expect(
    readSettings({ AUDIT_FILE: 'audit.log', SIGIL_AUDIT_SECRET, OTEL_EXPORTER_PROMETHEUS_PORT: '9464' }),
  ).toMatchObject({ audit: { path: 'audit.log', secret: SIGIL_AUDIT_SECRET }, metricsPort: 9464 });
});

const NO_REDIS = 'REDIS_URL is not the URL of a Redis, such as redis://127.0.0.1:6379';

it.each([
  ['a Redis that is not a URL', { REDIS_URL: 'localhost:hidden' }, NO_REDIS],
  ['a Redis without a scheme', { REDIS_URL: 'hidden' }, NO_REDIS],
  ['a Redis without a host', { REDIS_URL: 'redis://' }, NO_REDIS],
  ['no secrets', { SIGIL_SECRETS: '' }, 'SIGIL_SECRETS is not set, so none could read what another has sealed'],
  [
    'a short secret',
    { SIGIL_SECRETS: `${'s'.repeat(32)},${'s'.repeat(31)}` },
    'SIGIL_SECRETS has a secret of less than 32',
  ],
  ['no issuer', { ISSUER: '' }, 'ISSUER is not set: each instance would have its own issuer'],
  ['no issuer in production', { ISSUER: '', NODE_ENV: 'production' }, 'the development issuer does not run with'],
  ['an issuer that is not a URL', { ISSUER: 'id.example' }, 'ISSUER is not a URL'],
  ['no resource', { RESOURCE: '' }, 'RESOURCE is not set: it is the URL at which clients reach all of them'],
  ['a resource that is not a URL', { RESOURCE: 'notes' }, 'RESOURCE is not a URL'],
  ['an audit without its secret', { AUDIT_FILE: 'audit.log' }, 'AUDIT_FILE needs SIGIL_AUDIT_SECRET'],
  ['a strange port of metrics', { OTEL_EXPORTER_PROMETHEUS_PORT: 'x' }, 'OTEL_EXPORTER_PROMETHEUS_PORT is "x"'],
])('names the problem of an instance with %s, without quoting the URL', (_, env, words) => {
  const read = (): unknown => readSettings({ ...instance, ...env });
  expect(read).toThrow(words);
  expect(read).not.toThrow(/hidden|password@redis/);
});

it('names every problem in one error', () => {
  const names = ['PORT', 'AUDIT_FILE', 'REDIS_URL', 'SIGIL_SECRETS', 'ISSUER', 'RESOURCE'];
  const read = (): unknown => readSettings({ PORT: 'x', AUDIT_FILE: 'audit.log', REDIS_URL: 'hidden' });
  expect(read).toThrow(
    new RegExp(`^These settings have to be changed:\n${names.map((name) => `- .*\\b${name}\\b.*`).join('\n')}$`),
  );
});
