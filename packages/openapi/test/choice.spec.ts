/** Which operations become tools, and what rules change of them. */
import { answering, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);

const user = {
  type: 'object',
  properties: { login: { type: 'string' }, plan: { type: 'object', properties: { name: { type: 'string' } } } },
};
const item = {
  type: 'object',
  properties: { id: { type: 'integer' }, title: { type: 'string' }, node_id: { type: 'string' }, user },
};
const SHOP = documentOf({
  '/items': {
    get: answering(item, {
      operationId: 'items/find',
      tags: ['items'],
      parameters: [
        { name: 'page', in: 'query', schema: { type: 'integer' } },
        { name: 'sort', in: 'query', description: 'Old words', schema: { type: 'string' } },
        { name: 'debug', in: 'query', schema: { type: 'boolean' } },
      ],
    }),
    post: operation({ operationId: 'items/make', tags: ['items'] }),
  },
  '/orders/{id}': { get: operation({ tags: ['Orders'] }), delete: operation({ tags: ['Orders'] }) },
});
const many = documentOf(
  Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`/t${index}`, { get: operation({ tags: ['t'] }) }])),
);

const tools = (project: OpenApiProject): string[] =>
  project
    .files()
    .filter((path) => path.endsWith('.feature.ts'))
    .flatMap((path) =>
      [...project.read(path).matchAll(/^ {2}(?:async )?(\w+)\((?:\{|\w+:)/gm)].map(([, name = '']) => name),
    )
    .sort();

it.each([
  [[], ['deleteOrder', 'findItems', 'getOrder', 'makeItem']],
  [
    ['--tag', 'orders'],
    ['deleteOrder', 'getOrder'],
  ],
  [
    ['--only', 'items/*'],
    ['findItems', 'makeItem'],
  ],
  [
    ['--only', 'GET /**'],
    ['findItems', 'getOrder'],
  ],
  [
    ['--only', '/orders/{id}', '--only', 'items/make'],
    ['deleteOrder', 'getOrder', 'makeItem'],
  ],
  [
    ['--tag', 'items', '--only', 'DELETE /orders/*'],
    ['deleteOrder', 'findItems', 'makeItem'],
  ],
])('%j chooses %j', async (words, expected) => {
  const project = new OpenApiProject();
  await project.addDocument(SHOP, ...words);
  expect(tools(project)).toEqual(expected);
});

it.each([
  [['--tag', 'none'], 2, 'SIGIL_OPENAPI_UNKNOWN_TAG', 'It has items, Orders.'],
  [['--only', 'none'], 2, 'SIGIL_OPENAPI_NO_MATCH', 'No operation fits none.'],
  [['--name', 'No Name'], 2, 'SIGIL_OPENAPI_NAME', 'lowercase words with hyphens'],
  [['--server', 'ftp://x'], 2, 'SIGIL_OPENAPI_SERVER', 'begins with http:// or https://'],
  [['--rules', 'none.yaml'], 1, 'SIGIL_OPENAPI_UNREADABLE', 'none.yaml cannot be read'],
])('%j is refused, with what to do', async (words, status, code, text) => {
  const project = new OpenApiProject({ 'api.json': SHOP });
  const said = await project.add('api.json', ...words);
  expect(said).toMatchObject({ status, stdout: '' });
  expect(said.stderr).toContain(code);
  expect(said.stderr).toContain(text);
  expect(project.files()).toEqual(['src/server.ts']);
});

it('asks for a choice if there are many operations and no terminal, and takes all if told so', async () => {
  const project = new OpenApiProject({ 'api.json': many });
  const { status, stderr } = await project.add('api.json');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'The document has 41 operations, and each tool costs every request of a model. [SIGIL_OPENAPI_MANY]\n' +
      'Choose with --tag t, with --only "GET /t0" or with --rules <file>; --all takes all of them. Nothing was written.\n',
  });
  expect(await project.add('api.json', '--all')).toMatchObject({ status: 0 });
  expect(tools(project)).toHaveLength(41);
});

it('needs a document the first time', async () => {
  expect(await new OpenApiProject().add()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('SIGIL_OPENAPI_NO_DOCUMENT') as string,
  });
});

it('writes into no folder of something else', async () => {
  const project = new OpenApiProject({ 'api.json': SHOP, 'src/shop/mine.ts': '' });
  expect(await project.add('api.json')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('SIGIL_OPENAPI_UNLOCKED') as string,
  });
  expect(await project.add('api.json', '--name', 'other-shop')).toMatchObject({ status: 0 });
  expect(project.read('src/server.ts')).toContain('modules: [otherShopModule()]');
});

const RULES = `
include: ['items/*']
exclude: ['items/make']
operations:
  'items/*':
    fields: [title, user.login]
    fix: { debug: true }
  items/find:
    name: searchTheShop
    description: Finds what the shop sells.
    hide: [page]
    describe: { sort: New words }
`;

it('follows the rules of a file: names, descriptions, fields, hidden and fixed arguments', async () => {
  const project = new OpenApiProject({ 'shop.rules.yaml': RULES });
  await project.addDocument(SHOP, '--rules', 'shop.rules.yaml');
  expect(tools(project)).toEqual(['searchTheShop']);
  const text = project.read('src/shop/items.feature.ts').replace(/\s+/g, ' ');
  expect(text).toContain("@Tool('Finds what the shop sells.', { output: SearchTheShopResult, readOnly: true })");
  expect(text).toContain('searchTheShop(query: SearchTheShopInput, { signal }');
  expect(text).toContain('query: { ...query, debug: true }');
  expect(project.classText('SearchTheShopInput')).toBe(
    "@Describe('New words') @IsOptional() @IsString() sort?: string;",
  );
  expect(project.classText('SearchTheShopResult')).toBe(
    '@IsOptional() @IsString() title?: string; @IsOptional() @ValidateNested() @Type(() => SearchTheShopResultUser) user?: SearchTheShopResultUser;',
  );
  expect(project.classText('SearchTheShopResultUser')).toBe('@IsOptional() @IsString() login?: string;');
});

it('takes every field if a rule says so', async () => {
  const project = new OpenApiProject({ 'r.json': JSON.stringify({ operations: { 'items/find': { fields: ['*'] } } }) });
  await project.addDocument(SHOP, '--rules', 'r.json');
  expect(project.classText('FindItemsResult')).toContain('node_id?: string;');
  expect(project.classText('FindItemsResultUserPlan')).toContain('name?: string;');
});

it('says what rules do not reach', async () => {
  const rules = { exclude: ['nothing'], operations: { 'items/find': { hide: ['lost'] } } };
  const project = new OpenApiProject({ 'r.json': JSON.stringify(rules) });
  const said = await project.addDocument(SHOP, '--rules', 'r.json');
  expect(said).toContain('no operation fits nothing of the rules');
  expect(said).toContain('GET /items: a rule names lost, which is no argument');
});

it.each([
  [{ includes: [] }, 'includes is not one of include, exclude, operations'],
  [{ include: 'a' }, 'include is not a list of texts'],
  [{ operations: [] }, 'operations is not an object'],
  [{ operations: { a: 'b' } }, 'operations.a is not an object'],
  [{ operations: { a: { fields: 'b' } } }, 'operations.a.fields is not a list of texts'],
  [{ operations: { a: { rename: 'b' } } }, 'operations.a.rename is not one of name, description'],
  [{ operations: { a: { name: 'b c' } } }, 'operations.a.name is not a name of letters'],
])('refuses the rules %j', async (rules, words) => {
  const project = new OpenApiProject({ 'api.json': SHOP, 'r.json': JSON.stringify(rules) });
  const { status, stderr } = await project.add('api.json', '--rules', 'r.json');
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(words) as string });
});

it('counts what the tools cost before and after', async () => {
  const said = await new OpenApiProject().addDocument(SHOP, '--tag', 'items');
  expect(said).toMatch(
    /\(o200k_base\):\n +\d+ {2}every operation as the document has it \(4\)\n +\d+ {2}the chosen ones as the document has them \(2\)\n +\d+ {2}the tools as they are written \(2\)/,
  );
});
