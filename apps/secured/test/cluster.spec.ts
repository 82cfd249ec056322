/** The compose file with three instances: its parts match each other, and the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readSettings } from '../src/settings';

interface Service {
  readonly environment: Record<string, string | number>;
  readonly command: string;
  readonly network_mode?: string;
  readonly extends?: object;
  readonly stop_grace_period?: string;
}
interface Compose {
  readonly services: Record<string, Service>;
}

const folder = join(__dirname, '..');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const text = read('compose.cluster.yaml');
const { services } = parse(text, { merge: true }) as Compose;
const { redis, ...others } = services;
const instances = Object.entries(others).flatMap(([name, service]) => (name.startsWith('notes-') ? [service] : []));
const nginx = read('nginx/nginx.conf');
const alone = (parse(read('compose.yaml')) as Compose).services['notes'];

/** The directives of a name. */
const nginxWords = (name: string): string[] =>
  [...nginx.matchAll(new RegExp(`^ *${name} (.*);$`, 'gm'))].map(([, words]) => words ?? '');

it('has three instances that differ only in their ports, and nginx sends requests to each of them', () => {
  expect(instances).toHaveLength(3);
  const ports = instances.map(({ environment }) => environment['PORT']);
  expect(new Set(ports).size).toBe(3);
  for (const instance of instances) {
    const { PORT, ...rest } = instance.environment;
    expect([PORT, instance, rest]).toEqual([
      PORT,
      { ...instances[0], environment: { ...instances[0]?.environment, PORT } },
      { ...alone?.environment, ...rest },
    ]);
  }
  const upstream = nginxWords('server').map((words) => words.split(' ')[0]);
  expect(upstream).toEqual(ports.map((port) => `127.0.0.1:${port}`));
});

it('sets what each instance needs, and takes every secret from the file with an example', () => {
  const secrets = Object.fromEntries(
    [...read('secrets.env.example').matchAll(/^(\w+)=$/gm)].map(([, name = '']) => [
      name,
      `the-${name}`.padEnd(32, '.'),
    ]),
  );
  const wanted = [...text.matchAll(/\$\{(\w+):\?is in secrets\.env\}/g)].map(([, name]) => name);
  expect(new Set(wanted)).toEqual(new Set(Object.keys(secrets)));
  const env = Object.entries(instances[0]?.environment ?? {}).map(([name, value]) => [
    name,
    `${value}`.replace(/\$\{(\w+):.*?\}/g, (_, secret: string) => secrets[secret] ?? ''),
  ]);
  expect(readSettings(Object.fromEntries(env) as NodeJS.ProcessEnv)).toMatchObject({
    redis: `redis://:${secrets['REDIS_PASSWORD']}@redis:6379`,
    issuer: alone?.environment['ISSUER'],
    resource: alone?.environment['RESOURCE'],
  });
});

it('has a Redis that evicts no session', () => {
  expect(redis?.command).toContain('--maxmemory-policy noeviction');
  expect(redis?.command).toContain('--requirepass ${REDIS_PASSWORD:?');
});

it('has an nginx without sticky sessions, which does not delay events and sends no call twice', () => {
  expect(nginx).not.toMatch(/^ *(ip_hash|hash|sticky|random|least_conn)\b/m);
  expect(nginxWords('proxy_next_upstream')).toEqual(['error timeout']);
  expect(nginxWords('proxy_buffering')).toEqual(['off']);
  expect(nginxWords('proxy_http_version')).toEqual(['1.1']);
  expect(nginxWords('client_max_body_size')).toEqual(['5m']);
  expect(nginxWords('proxy_read_timeout')).toEqual(['1m']);
});

it('trusts only nginx about the address of a client', () => {
  expect(nginxWords('proxy_set_header')).toContain('X-Forwarded-For $remote_addr');
  for (const { environment } of instances)
    expect(environment).toMatchObject({ TRUST_PROXY: '127.0.0.1', HOST: '127.0.0.1' });
});

it('keeps the secrets out of git and of the image', () => {
  expect(readFileSync(join(folder, '..', '..', '.gitignore'), 'utf8')).toMatch(/^secrets\.env$/m);
  expect(read('Dockerfile.dockerignore')).toMatch(/^\*\*\/secrets\.env$/m);
});
