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
  });
});

const instance = {
  REDIS_URL: 'rediss://user:password@redis.example:6380',
  SIGIL_SECRETS: 's',
  ISSUER: 'https://id.example',
};

it('is one of several instances if a Redis is named', () => {
  expect(readSettings(instance).redis).toBe(instance.REDIS_URL);
});

it.each([
  [
    'a Redis that is not a URL',
    { REDIS_URL: 'localhost:hidden' },
    'REDIS_URL is not the URL of a Redis, such as redis://127.0.0.1:6379',
  ],
  ['a Redis without a scheme', { REDIS_URL: 'hidden' }, 'REDIS_URL is not the URL of a Redis'],
  ['a Redis without a host', { REDIS_URL: 'redis://' }, 'REDIS_URL is not the URL of a Redis'],
  ['no secrets', { SIGIL_SECRETS: '' }, 'SIGIL_SECRETS is not set, so none could read what another has sealed'],
  ['no issuer', { ISSUER: '' }, 'ISSUER is not set: each instance would have its own issuer'],
])('names the problem of an instance with %s, without quoting the URL', (_, env, words) => {
  const read = (): unknown => readSettings({ ...instance, ...env });
  expect(read).toThrow(words);
  expect(read).not.toThrow(/hidden|password@redis/);
});
