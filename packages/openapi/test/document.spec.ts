/** The documents that `sigil add openapi` reads: from files and URLs, in both versions, with the files that they refer to. */
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { answering, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  server.unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const YAML = `openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: 'https://{region}.shop.example/{base}/', variables: { region: { default: eu }, base: { default: v2 } } }]
paths:
  /items/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 0, exclusiveMinimum: true } }
        - { name: note, in: query, schema: { type: string, nullable: true, example: a } }
      responses: { '200': { description: ok, content: { text/plain: { schema: { type: string } } } } }
`;

it('is read from YAML and OpenAPI 3.0, with the defaults of server variables', async () => {
  const project = new OpenApiProject({ 'api.yaml': YAML });
  expect(await project.add('api.yaml')).toMatchObject({ status: 0, stderr: '' });
  expect(project.read('src/shop/shop-settings.ts')).toContain("SHOP_URL || 'https://eu.shop.example/v2'");
  expect(project.classText('GetItemInput')).toBe(
    '@IsInt() @IsPositive() id!: number; @IsOptional() @IsString() note?: string;',
  );
});

it('is read from a URL, against which a relative server counts', async () => {
  const origin = await serve(
    ({ url }, response) =>
      void response.end(
        url === '/docs/api.json' ? documentOf({ '/a': { get: operation() } }, { servers: [{ url: '../v3' }] }) : '',
      ),
  );
  const project = new OpenApiProject();
  expect(await project.add(`${origin}/docs/api.json`)).toMatchObject({ status: 0, stderr: '' });
  expect(project.read('src/shop/shop-settings.ts')).toContain(`'${origin}/v3'`);
  expect(JSON.parse(project.read('src/shop/openapi.lock.json'))).toMatchObject({
    document: { source: `${origin}/docs/api.json` },
  });
});

it('is noted without what may be a key in its address, and the command says so', async () => {
  const url = await serve(({ headers }, response) => {
    const isKnown = headers.authorization === `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;
    response.writeHead(isKnown ? 200 : 401).end(documentOf({ '/a': { get: operation() } }));
  });
  const host = url.replace('http://', 'http://ada:s3cret@');
  const long = 's3cret'.repeat(5);
  const project = new OpenApiProject();
  const { status, stdout, stderr } = await project.add(`${host}/api.json?version=3&access_token=s3cret&x=${long}`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [lock = ''] = project.files().filter((file) => file.endsWith('openapi.lock.json'));
  expect(project.read(lock)).toContain('/api.json?version=3&access_token=&x="');
  expect(
    project
      .files()
      .map((file) => project.read(file))
      .join(''),
  ).not.toContain('s3cret');
  expect(stdout).toContain('openapi.lock.json has no value for access_token, which may be a key');
  expect(stdout).toContain('openapi.lock.json has no value for x, which may be a key');
  const refused = await project.add(`${host.replace('s3cret', 'wr0ng')}/api.json`);
  expect(refused.stderr).toContain(`${url}/api.json cannot be read: the server answers with HTTP 401`);
  // The same document is found by what is noted.
  expect((await project.add(`${host}/api.json?version=3&access_token=other&x=${long}`)).status).toBe(0);
});

it('may move on its own server, and to no other one', async () => {
  const other = await serve((_request, response) => void response.end(documentOf({ '/a': { get: operation() } })));
  const origin = await serve(({ url }, response) => {
    if (url === '/old') response.writeHead(302, { location: '/new' }).end();
    else if (url === '/away') response.writeHead(302, { location: `${other}/api.json` }).end();
    else response.end(documentOf({ '/a': { get: operation() } }));
  });
  expect(await new OpenApiProject().add(`${origin}/old`)).toMatchObject({ status: 0 });
  const { status, stderr } = await new OpenApiProject().add(`${origin}/away`);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('[SIGIL_OPENAPI_REDIRECT]') as string,
  });
});

it('has a limit of size', async () => {
  const origin = await serve((_request, response) => {
    const chunk = Buffer.alloc(4 * 1024 * 1024, ' ');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  const { status, stderr } = await new OpenApiProject().add(`${origin}/endless`);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('it has more than 64 MB') as string,
  });
}, 30_000);

it('has files in its folder, which may refer to each other and back', async () => {
  const project = new OpenApiProject({
    'docs/api.json': documentOf(
      { '/a': { $ref: 'paths/a.yaml' }, '/b': { get: answering({ $ref: 'schemas/tree.json#/Tree' }) } },
      { components: { schemas: { Leaf: { type: 'object', properties: { colour: { type: 'string' } } } } } },
    ),
    'docs/paths/a.yaml':
      'get:\n  operationId: findA\n  parameters: [{ $ref: "../parts.yaml#/page" }]\n  responses: { "204": { description: x } }\n',
    'docs/parts.yaml': 'page: { name: page, in: query, schema: { type: integer } }\n',
    'docs/schemas/tree.json': JSON.stringify({
      Tree: {
        type: 'object',
        properties: {
          leaf: { $ref: '../api.json#/components/schemas/Leaf' },
          branches: { type: 'array', items: { $ref: '#/Tree' } },
        },
      },
    }),
  });
  expect(await project.add('docs/api.json')).toMatchObject({ status: 0, stderr: '' });
  expect(project.classText('FindAInput')).toContain('page?: number');
  expect(project.classText('Tree')).toContain('@Type(() => Leaf) leaf?: Leaf;');
  expect(project.classText('Tree')).toContain('@Type(() => Tree) branches?: Tree[];');
});

it('has references where the specification has them, and any texts in its examples', async () => {
  const text = { $ref: 'http://[', note: { $ref: '../secret.yaml' } };
  const schema = {
    type: 'object',
    properties: {
      // The names of properties are the author's.
      example: { $ref: 'parts.json#/default' },
      examples: { type: 'string', examples: [text], default: text, enum: [text], const: text },
      $ref: { type: 'integer' },
    },
    example: text,
    'x-origin': text,
  };
  const body = {
    content: {
      'application/json': {
        schema,
        examples: { one: { value: text, dataValue: text }, two: { $ref: 'parts.json#/two' } },
      },
    },
  };
  // What a link sends is a value, too.
  const links = {
    own: { operationId: 'addA', parameters: { b: text }, requestBody: text },
    next: { $ref: 'parts.json#/next' },
  };
  const project = new OpenApiProject({
    'docs/api.json': documentOf({
      '/a': { post: { operationId: 'addA', requestBody: body, responses: { 204: { description: 'x', links } } } },
    }),
    'docs/parts.json': JSON.stringify({
      default: { type: 'boolean' },
      two: { value: text },
      next: { operationId: 'addA' },
    }),
  });
  expect(await project.add('docs/api.json')).toMatchObject({ status: 0, stderr: '' });
  expect(project.classText('AddAInput')).toContain('example?: boolean');
});

it('has references in each place where the specification has one, with members next to them', async () => {
  const text = { type: 'string' };
  const project = new OpenApiProject({
    'docs/api.json': documentOf(
      {
        '/a/{id}': {
          $ref: 'parts.json#/path',
          post: {
            operationId: 'addA',
            security: [{ key: [] }],
            requestBody: { $ref: 'parts.json#/body' },
            responses: { 200: { $ref: 'parts.json#/answer' } },
          },
        },
        // A document may name itself, too.
        '/b': { get: answering({ $ref: 'api.json#/components/schemas/Own' }, { operationId: 'getB' }) },
      },
      {
        components: {
          schemas: { Own: { type: 'object', properties: { own: text } } },
          securitySchemes: { key: { $ref: 'parts.json#/key' } },
        },
      },
    ),
    'docs/parts.json': JSON.stringify({
      path: { get: { $ref: 'none.json' }, parameters: [{ $ref: '#/id' }] },
      id: { name: 'id', in: 'path', required: true, schema: { $ref: '#/schemas/Id' } },
      body: { required: true, content: { 'application/json': { schema: { $ref: '#/schemas/Body' } } } },
      answer: {
        description: 'x',
        content: { 'application/json': { schema: { anyOf: [{ $ref: '#/schemas/Body' }] } } },
      },
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
      schemas: {
        Id: { type: 'integer' },
        Body: {
          allOf: [{ $ref: 'more.json#/Base' }],
          properties: { kind: { $ref: '#/schemas/Id', description: 'Its kind' } },
        },
      },
    }),
    'docs/more.json': JSON.stringify({
      Base: {
        type: 'object',
        properties: {
          many: { type: 'array', items: { $ref: '#/Text' } },
          by: { additionalProperties: { $ref: '#/Text' }, type: 'object' },
        },
      },
      Text: text,
    }),
    'docs/none.json': '{}',
  });
  expect(await project.add('docs/api.json')).toMatchObject({ status: 0, stderr: '' });
  expect(project.classText('AddAInput')).toMatch(/id!: number.*Describe\('Its kind'\).*kind\?: number/);
  expect(project.classText('AddAInput')).toMatch(/many\?: string\[\].*by\?: Record<string, string>/);
  expect(project.classText('Own')).toContain('own?: string');
  expect(project.read('src/shop/shop-settings.ts')).toContain('SHOP_API_KEY');
});

it('may have any $ref in what no tool needs', async () => {
  const lost = { $ref: '../policies.yaml' };
  const more = {
    info: { title: 'Shop', version: '1', 'x-policy': lost },
    webhooks: { sold: { post: lost } },
    components: {
      'x-spotify-policy': { policies: lost },
      schemas: { Unused: { properties: { a: lost } } },
      parameters: { unused: lost },
      securitySchemes: { login: { type: 'oauth2', flows: {}, 'x-flow': lost } },
    },
  };
  const get = {
    ...answering({ type: 'object', properties: { a: { type: 'string', 'x-a': lost } } }, { operationId: 'getA' }),
    ...{ 'x-policy': lost, externalDocs: lost, callbacks: { done: { '{$url}': { post: lost } }, other: lost } },
  };
  const project = new OpenApiProject({
    'docs/api.json': documentOf({ 'x-policy': lost, '/a': { 'x-policy': lost, get } }, more),
  });
  expect(await project.add('docs/api.json')).toMatchObject({ status: 0, stderr: '' });
  expect(project.classText('GetAResult')).toContain('a?: string');
});

it('says which of its references is no address', async () => {
  const project = new OpenApiProject({ 'docs/api.json': documentOf({ '/a': { $ref: 'http://[' } }) });
  const { status, stderr } = await project.add('docs/api.json');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('its $ref "http://[" is no address') as string,
  });
});

it.each([
  '../secret.yaml',
  '../docs-other/x.yaml',
  'link.yaml',
  'file:///etc/hostname',
  'http://127.0.0.1:1/x.yaml',
  '//other.example/x.yaml',
])('refers to no file outside of its folder: %s', async ($ref) => {
  const project = new OpenApiProject({
    'docs/api.json': documentOf({ '/a': { $ref } }),
    'secret.yaml': 'get: { responses: {} }',
    'docs-other/x.yaml': 'get: { responses: {} }',
  });
  symlinkSync(join(project.folder, 'secret.yaml'), join(project.folder, 'docs', 'link.yaml'));
  const { status, stderr } = await project.add('docs/api.json');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('[SIGIL_OPENAPI_OUTSIDE]') as string,
  });
  expect(project.files()).toEqual(['src/server.ts']);
});

it.each([
  ['{ "swagger": "2.0", "paths": {} }', 'SIGIL_OPENAPI_VERSION', 'Swagger 2.0'],
  ['openapi: 4.0.0', 'SIGIL_OPENAPI_VERSION', 'OpenAPI 4.0.0'],
  ['a: [', 'SIGIL_OPENAPI_SYNTAX', 'is not JSON or YAML'],
  ['[]', 'SIGIL_OPENAPI_SYNTAX', 'it holds no object'],
  ['openapi: 3.0.0\npaths: {}', 'SIGIL_OPENAPI_EMPTY', 'has no operations'],
])('is refused if it is %j', async (text, code, words) => {
  const project = new OpenApiProject();
  writeFileSync(join(project.folder, 'api.json'), text);
  const { status, stderr } = await project.add('api.json');
  expect(status).toBe(1);
  expect(stderr).toContain(code);
  expect(stderr).toContain(words);
});

it('may have references that lead nowhere, or in a circle: what they stand for is left out, and the report says so', async () => {
  const project = new OpenApiProject();
  const said = await project.addDocument(
    documentOf(
      {
        '/lost': { $ref: '#/components/pathItems/none' },
        '/a': {
          parameters: [{ $ref: '#/components/parameters/none' }, { $ref: '#/components/parameters/loop' }],
          get: answering({ $ref: '#/components/schemas/none' }),
        },
      },
      {
        components: {
          parameters: { loop: { $ref: '#/components/parameters/loop' } },
          schemas: { self: { allOf: [{ $ref: '#/components/schemas/self' }] } },
        },
      },
    ),
  );
  expect(said).toContain('/lost leads nowhere: it is left out');
  expect(said).toContain('GET /a: a parameter leads nowhere (#/components/parameters/none): it is left out');
  expect(said).toContain('GET /a: the answer has no fixed members');
});

it('needs the address of the API from the user if only a file is there', async () => {
  const project = new OpenApiProject();
  const said = await project.addDocument(documentOf({ '/a': { get: operation() } }, { servers: undefined }));
  expect(said).toContain('SHOP_URL: the address of the API, which the document does not say');
  expect(project.read('src/shop/shop-settings.ts')).toContain(
    "throw new Error('Set SHOP_URL to the address of the API.')",
  );
  const other = new OpenApiProject();
  await other.addDocument(
    documentOf({ '/a': { get: operation() } }, { servers: undefined }),
    '--server',
    'http://127.0.0.1:9/api',
  );
  expect(other.read('src/shop/shop-settings.ts')).toContain("SHOP_URL || 'http://127.0.0.1:9/api'");
});

it('consists of no more files than a person would write', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 502 }, (_, index) => [`docs/f${index}.json`, `{ "$ref": "f${index + 1}.json" }`]),
  );
  const project = new OpenApiProject({ ...files, 'docs/api.json': documentOf({ '/a': { $ref: 'f0.json' } }) });
  const { status, stderr } = await project.add('docs/api.json');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('it consists of more than 500 files') as string,
  });
});
