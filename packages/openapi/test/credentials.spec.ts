/** What an operation needs to prove who calls: the client sends that, and nothing to operations that need nothing. */
import { documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);

const securitySchemes = {
  user: { type: 'http', scheme: 'bearer' },
  admin: { type: 'oauth2', flows: {} },
  account: { type: 'http', scheme: 'Basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  sign: { type: 'apiKey', in: 'query', name: 'sig nature' },
  tls: { type: 'mutualTLS' },
};
const needing = (security: unknown, more: object = {}): object => ({ get: operation({ security, ...more }) });

async function written(paths: object, more: object = {}): Promise<{ project: OpenApiProject; said: string }> {
  const project = new OpenApiProject();
  const said = await project.addDocument(documentOf(paths, { components: { securitySchemes }, ...more }));
  return { project, said };
}
const method = (project: OpenApiProject, path: string): string | undefined =>
  new RegExp(`pathOf\`/things/${path}\`, \\{([^]*?)signal,?\\s*\\}`)
    .exec(project.read('src/shop/things.feature.ts'))?.[1]
    ?.replace(/\s+/g, ' ')
    .trim();

it('are sent for each operation as it says: one of several, several at once, or none', async () => {
  const { project, said } = await written(
    {
      '/things/usual': { get: operation() },
      '/things/none': needing([]),
      '/things/optional': needing([{}, { key: [] }]),
      '/things/either': needing([{ admin: ['write'] }, { account: [] }]),
      '/things/both': needing([{ key: [], sign: [] }]),
      '/things/same': needing([{ user: [] }]),
    },
    { security: [{ user: [] }] },
  );
  expect(method(project, 'usual')).toBe('');
  expect(method(project, 'same')).toBe('');
  expect(method(project, 'none')).toBe('credentials: [],');
  expect(method(project, 'optional')).toBe("credentials: [['key']],");
  expect(method(project, 'either')).toBe("credentials: [['admin'], ['account']],");
  expect(method(project, 'both')).toBe("credentials: [['key', 'sign']],");
  const settings = project.read('src/shop/shop-settings.ts').replace(/\s+/g, ' ');
  expect(settings).toContain("usual: [['user']]");
  expect(settings).toContain(
    "if (SHOP_USER_TOKEN) credentials.set('user', { headers: { authorization: `Bearer ${SHOP_USER_TOKEN}` } });",
  );
  expect(settings).toContain("if (SHOP_SIGN) credentials.set('sign', { query: { 'sig nature': SHOP_SIGN } });");
  expect(settings).not.toContain('TLS');
  expect(said).toContain(
    'SHOP_ADMIN_TOKEN: a token of OAuth, which the client does not renew, sent as bearer token (admin)',
  );
  expect(project.read('.env.example')).toContain('#SHOP_USERNAME=');
});

it('are what most operations need if the document as a whole says nothing', async () => {
  const { project } = await written({
    '/things/a': needing([{ key: [] }]),
    '/things/b': needing([{ key: [] }]),
    '/things/c': needing(undefined),
  });
  expect(project.read('src/shop/shop-settings.ts')).toContain("usual: [['key']]");
  expect(method(project, 'b')).toBe('');
  expect(method(project, 'c')).toBe('credentials: [],');
});

it('are all that is set if no operation says anything', async () => {
  const { project, said } = await written({ '/things/a': { get: operation() } });
  expect(said).toContain('no operation says which credentials it needs: every request has those that are set');
  expect(project.read('src/shop/shop-settings.ts')).not.toContain('usual: [');
});

it('are named in the report if the client cannot send them', async () => {
  const { project, said } = await written({
    '/things/tls': needing([{ tls: [] }]),
    '/things/lost': needing([{ nowhere: [] }]),
    '/things/twice': needing([{ user: [], account: [] }]),
    '/things/rest': needing([{ tls: [] }, { key: [] }]),
  });
  expect(said).toContain('credentials of the kind tls cannot be set');
  expect(said).toContain('credentials of the kind nowhere cannot be set');
  for (const [path, words] of [
    ['tls', 'tls'],
    ['lost', 'nowhere'],
    ['twice', 'user and account'],
  ])
    expect(said).toContain(
      `GET /things/${path}: it needs ${words}, which the client cannot send: it sends no credentials`,
    );
  expect(said).not.toContain('GET /things/rest');
  expect(method(project, 'rest')).toBe("credentials: [['key']],");
});

it.each(['X Key', 'x-key\r\ny: z', 'Host', 'Content-Type', 'é', ''])(
  'are never sent in a header that is called %j',
  async (name) => {
    const schemes = { odd: { type: 'apiKey', in: 'header', name } };
    const { project, said } = await written(
      { '/things/a': needing([{ odd: [] }]) },
      { components: { securitySchemes: schemes } },
    );
    expect(said).toContain('credentials of the kind odd cannot be set');
    expect(project.read('src/shop/shop-settings.ts')).not.toContain('credentials.set');
  },
);

it('have a variable each, whatever their names are', async () => {
  const key = { type: 'apiKey', in: 'query' };
  const names = ['url', 'ключ', '__proto__', 'a/b~c', 'A B', 'a-b'];
  const schemes = Object.fromEntries(names.map((name, index) => [name, { ...key, name: `k${index}` }]));
  Object.defineProperty(schemes, '__proto__', { value: { ...key, name: 'k2' }, enumerable: true });
  const { project, said } = await written(
    { '/things/a': needing(names.map((name) => Object.fromEntries([[name, []]]))) },
    { components: { securitySchemes: schemes } },
  );
  const settings = project.read('src/shop/shop-settings.ts');
  const read = [...settings.matchAll(/^ +if \((\w+)\) credentials\.set\(('[^']*')/gm)].map(([, ...found]) => found);
  expect(read).toEqual([
    ['SHOP_URL_2', "'url'"],
    ['SHOP_API_KEY', "'ключ'"],
    ['SHOP_PROTO', "'__proto__'"],
    ['SHOP_A_B_C', "'a/b~c'"],
    ['SHOP_A_B', "'A B'"],
    ['SHOP_A_B_2', "'a-b'"],
  ]);
  expect(said).not.toContain('cannot be set');
});

it('are no arguments of a tool', async () => {
  const parameters = [
    { name: 'x-key', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'colour', in: 'query', schema: { type: 'string' } },
  ];
  const { project, said } = await written({
    '/things/a': needing([{ key: [] }], { operationId: 'findA', parameters }),
    '/things/b': needing([], { operationId: 'findB', parameters }),
  });
  expect(project.classText('FindAInput')).toBe('@IsOptional() @IsString() colour?: string;');
  expect(project.classText('FindBInput')).toContain('xKey');
  expect(said).toContain('GET /things/a: x-key is a credential, which the client sends: it is left out');
});

it('are compared in a later run', async () => {
  const project = new OpenApiProject();
  const text = (security: unknown, schemes: object = securitySchemes): string =>
    documentOf(
      { '/things/a': { get: operation() }, '/things/b': needing([{ user: [] }]) },
      { security, components: { securitySchemes: schemes } },
    );
  await project.addDocument(text([{ key: [] }]));
  const said = await project.addDocument(text([{ user: [] }]));
  expect(said).toContain('Changed in the document:\n  GET /things/a: changed: the credentials\n');
  const other = { ...securitySchemes, user: { type: 'apiKey', in: 'header', name: 'X-User' } };
  expect(await project.addDocument(text([{ user: [] }], other))).toContain('GET /things/b: changed: the credentials');
});
