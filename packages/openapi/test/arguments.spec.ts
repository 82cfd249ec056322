/** The classes and methods that are written for schemas and parameters. */
import { answering, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);

async function written(paths: object, more: object = {}): Promise<OpenApiProject> {
  const project = new OpenApiProject();
  await project.addDocument(documentOf(paths, more));
  return project;
}
const body = (schema: object): object => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});
const feature = (project: OpenApiProject): string => project.read('src/shop/things.feature.ts').replace(/\s+/g, ' ');

it('renames arguments of one name in several places, and sends each under its own', async () => {
  const project = await written({
    '/things/{id}': {
      put: operation({
        operationId: 'saveThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'id', in: 'query', schema: { type: 'string' } },
          { name: 'ID', in: 'header', schema: { type: 'string' } },
        ],
        ...body({
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, 'a b': { type: 'string' }, signal: { type: 'string' } },
        }),
      }),
    },
  });
  expect(project.classText('SaveThingInput')).toBe(
    '@IsString() id!: string; @IsInt() id_body!: number; @IsOptional() @IsString() id_query?: string; ' +
      '@IsOptional() @IsString() ID?: string; @IsOptional() @IsString() aB?: string; @IsOptional() @IsString() signal?: string;',
  );
  expect(feature(project)).toContain(
    "saveThing({ id, id_body, id_query, ID, aB, ...body }: SaveThingInput, { signal }: McpContext): Promise<string> { return this.shop.text('PUT', pathOf`/things/${id}`, { query: { id: id_query }, headers: { ID }, json: { ...body, id: id_body, 'a b': aB }, signal });",
  );
});

it('leaves what only the API writes out of arguments, and what only callers send out of answers', async () => {
  const thing = {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      owner: { $ref: '#/components/schemas/Text', readOnly: true },
      pin: { type: 'string', writeOnly: true },
      key: { allOf: [{ $ref: '#/components/schemas/Text' }], writeOnly: true },
      name: { type: 'string' },
    },
  };
  const project = await written(
    {
      '/things': {
        post: answering({ $ref: '#/components/schemas/Thing' }, { ...body({ $ref: '#/components/schemas/Thing' }) }),
      },
    },
    { components: { schemas: { Thing: thing, Text: { type: 'string' } } } },
  );
  expect(project.classText('CreateThingInput')).toBe(
    '@IsOptional() @IsString() pin?: string; @IsOptional() @IsString() key?: string; @IsOptional() @IsString() name?: string;',
  );
  expect(project.classText('Thing')).toBe(
    '@IsOptional() @IsString() id?: string; @IsOptional() @IsString() owner?: string; @IsOptional() @IsString() name?: string;',
  );
});

it.each([
  ['left out', {}, 'name!: string', true],
  ['false', { required: false }, 'name?: string', false],
  ['true', { required: true }, 'name!: string', false],
])(
  'requires what the schema of a body requires if the document says of the body itself: %s',
  async (_said, more, code, isRemarked) => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, note: { type: 'string' } },
    };
    const content = { 'application/json': { schema } };
    const project = new OpenApiProject();
    const said = await project.addDocument(
      documentOf({ '/things': { post: operation({ requestBody: { ...more, content } }) } }),
    );
    expect(project.classText('CreateThingInput')).toContain(code);
    expect(project.classText('CreateThingInput')).toContain('note?: string');
    const remark =
      'POST /things: the document does not say that the body is required: what its schema requires is required';
    expect(said.includes(remark)).toBe(isRemarked);
  },
);

it('has defaults of parameters as initial values, and those of bodies in words: an update must not overwrite', async () => {
  const project = await written({
    '/things': {
      patch: operation({
        operationId: 'changeThings',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', default: 1 } }],
        ...body({ type: 'object', properties: { colour: { type: 'string', default: 'red' } } }),
      }),
    },
  });
  expect(project.classText('ChangeThingsInput')).toBe(
    "@IsInt() page: number = 1; @Describe('Default: red') @IsOptional() @IsString() colour?: string;",
  );
});

it('merges allOf, closes circles with a class that refers to itself, and stops where objects lie too deep', async () => {
  const schemas = {
    Base: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    Node: {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
      ],
    },
    Deep: {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: {
            b: {
              type: 'object',
              properties: {
                c: { type: 'object', properties: { d: { type: 'object', properties: { e: { type: 'string' } } } } },
              },
            },
          },
        },
      },
    },
  };
  const project = await written(
    {
      '/things': {
        post: operation({
          operationId: 'make',
          ...body({
            type: 'object',
            properties: { node: { $ref: '#/components/schemas/Node' }, deep: { $ref: '#/components/schemas/Deep' } },
          }),
        }),
      },
    },
    { components: { schemas } },
  );
  expect(project.classText('Node')).toBe(
    '@IsString() name!: string; @IsOptional() @ValidateNested() @Type(() => Node) next?: Ref<Node>;',
  );
  expect(project.read('src/shop/models.ts')).toContain('Record<string, unknown>');
});

it('lets a discriminator choose the class', async () => {
  const schemas = {
    Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
    Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
  };
  const pet = {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  };
  const project = await written(
    { '/things': { post: operation({ operationId: 'make', ...body({ type: 'object', properties: { pet } }) }) } },
    { components: { schemas } },
  );
  expect(project.classText('MakeThingInput')).toBe('@IsOptional() @AnyOf(() => [Cat, Dog]) pet?: Cat | Dog;');
  expect(project.classText('Cat')).toContain("@IsIn(['cat']) kind!: 'cat';");
  expect(project.classText('Dog')).toContain("@IsIn(['Dog']) kind!: 'Dog';");
});

it('has the members of each kind that stands next to the members of an object, which only the API can require', async () => {
  const kind = (name: string, more: object): object => ({
    ...{ type: 'object', required: ['kind', name], properties: { kind: { enum: [name] }, [name]: { type: 'string' } } },
    ...more,
  });
  const schema = {
    ...{ type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    oneOf: [kind('file', {}), kind('link', {})],
  };
  const project = await written({
    '/things': { post: operation({ operationId: 'make', ...body(schema) }) },
    '/others': { post: operation({ operationId: 'wrap', ...body({ type: 'object', properties: { schema } }) }) },
  });
  const members =
    "@IsString() title!: string; @IsIn(['file', 'link']) kind!: 'file' | 'link'; " +
    '@IsOptional() @IsString() file?: string; @IsOptional() @IsString() link?: string;';
  expect(project.classText('MakeThingInput')).toBe(members);
  expect(project.classText('WrapInputSchema')).toBe(members);
});

it('has the members of the components that extend one with a discriminator, up to eight of them', async () => {
  const extend = (base: string, name: string): object => ({
    allOf: [
      { $ref: `#/components/schemas/${base}` },
      { required: [name], properties: { [name]: { type: 'integer' } } },
    ],
  });
  const Pet = {
    ...{ type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', lion: 'Lion' } },
  };
  const schemas = { Pet, Cat: extend('Pet', 'lives'), Lion: extend('Cat', 'mane') };
  const paths = (name: string): object => ({
    '/pets': { post: operation({ operationId: 'make', ...body({ $ref: `#/components/schemas/${name}` }) }) },
  });
  const project = await written(paths('Pet'), { components: { schemas } });
  expect(project.classText('MakePetInput')).toBe(
    "@IsIn(['cat', 'lion']) kind!: 'cat' | 'lion'; @IsInt() lives!: number; @IsOptional() @IsInt() mane?: number;",
  );
  const cat = await written(paths('Cat'), { components: { schemas } });
  expect(cat.classText('MakePetInput')).toContain('@IsInt() lives!: number; @IsOptional() @IsInt() mane?: number;');
  const lion = await written(paths('Lion'), { components: { schemas } });
  expect(lion.classText('MakePetInput')).toContain('@IsInt() lives!: number; @IsInt() mane!: number;');
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`Pet${index}`, extend('Pet', `m${index}`)]));
  const other = new OpenApiProject();
  const said = await other.addDocument(documentOf(paths('Pet'), { components: { schemas: { Pet, ...many } } }));
  expect(other.classText('MakePetInput')).toBe('@IsObject() body!: Record<string, unknown>;');
  expect(said).toContain('POST /pets: an object has 9 kinds (#/components/schemas/Pet): it is written as any object');
});

it('has the members of several lists of alternatives', async () => {
  const one = (name: string): object => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const schema = { allOf: [{ oneOf: [one('a'), one('b')] }, { anyOf: [one('c'), one('d')] }] };
  const project = await written({ '/things': { post: operation({ operationId: 'make', ...body(schema) }) } });
  for (const name of ['a', 'b', 'c', 'd']) expect(project.classText('MakeThingInput')).toContain(` ${name}?: string;`);
});

it('says that members without a name are left out next to others', async () => {
  const open = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } };
  const project = new OpenApiProject();
  const post = operation({ operationId: 'make', ...body({ type: 'object', properties: { open } }) });
  const remark = 'POST /things: an object may have more members than a: they are left out';
  expect(await project.addDocument(documentOf({ '/things': { post } }))).toContain(remark);
  expect(project.classText('MakeThingInputOpen')).toBe('@IsOptional() @IsString() a?: string;');
});

it('keeps the type of a member that another part of allOf only narrows or describes', async () => {
  const Base = {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' }, next: { $ref: '#/components/schemas/Base' } },
  };
  const narrow = { id: { readOnly: true }, name: { maxLength: 3 }, next: { description: 'Which comes after it' } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['name'], properties: narrow }] };
  const paths = { '/things': { post: operation({ operationId: 'make', ...body(schema) }) } };
  const project = await written(paths, { components: { schemas: { Base } } });
  expect(project.classText('MakeThingInput')).toBe(
    '@IsString() @MaxLength(3) name!: string; @IsOptional() @ValidateNested() @Type(() => Base) next?: Base;',
  );
});

it('cuts answers to what matters: no links for programs, nothing outdated, and of nested objects what identifies them', async () => {
  const user = {
    type: 'object',
    properties: {
      login: { type: 'string' },
      id: { type: 'integer' },
      url: { type: 'string' },
      bio: { type: 'string' },
      name: { type: 'string' },
      size: { type: 'integer' },
      plan: { type: 'object', properties: { name: { type: 'string' } } },
    },
  };
  const item = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      node_id: { type: 'string' },
      url: { type: 'string' },
      events_url: { type: 'string' },
      tags_url: { type: 'string' },
      html_url: { type: 'string' },
      old: { type: 'string', deprecated: true },
      user,
    },
  };
  const list = { type: 'object', properties: { total: { type: 'integer' }, items: { type: 'array', items: item } } };
  const project = await written({ '/things': { get: answering(list) } });
  expect(project.classText('ListThingsResultItem')).toBe(
    '@IsOptional() @IsInt() id?: number; @IsOptional() @IsString() html_url?: string; @IsOptional() @ValidateNested() @Type(() => ListThingsResultItemUser) user?: ListThingsResultItemUser;',
  );
  expect(project.classText('ListThingsResultItemUser')).toBe(
    '@IsOptional() @IsString() login?: string; @IsOptional() @IsInt() id?: number; @IsOptional() @IsString() name?: string;',
  );
});

it('says what a tool does to the world: reading, replacing, deleting', async () => {
  const project = await written({
    '/things/{id}': { get: operation(), put: operation(), delete: operation(), post: operation() },
  });
  const text = feature(project);
  expect(text).toMatch(/@Tool\('GetThing [^']*', \{ readOnly: true \}\)/);
  expect(text).toMatch(/@Tool\('ReplaceThing [^']*', \{ idempotent: true \}\)/);
  expect(text).toMatch(/@Tool\('DeleteThing [^']*', \{ destructive: true, idempotent: true \}\)/);
  expect(text).toMatch(/@Tool\('UpdateThing [^']*'\)/);
});

it.each([
  [
    { bearerAuth: { type: 'http', scheme: 'bearer' } },
    "if (SHOP_TOKEN) credentials.set('bearerAuth', { headers: { authorization: `Bearer ${SHOP_TOKEN}` } });",
  ],
  [
    { basic: { type: 'http', scheme: 'basic' } },
    "if (SHOP_USERNAME) credentials.set('basic', { headers: { authorization: `Basic ",
  ],
  [
    { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    "if (SHOP_API_KEY) credentials.set('key', { headers: { 'x-key': SHOP_API_KEY } });",
  ],
  [
    { key: { type: 'apiKey', in: 'query', name: 'key' } },
    "if (SHOP_API_KEY) credentials.set('key', { query: { key: SHOP_API_KEY } });",
  ],
  [
    { one: { type: 'apiKey', in: 'cookie', name: 'sid' }, two: { type: 'apiKey', in: 'query', name: 'k' } },
    "if (SHOP_ONE) credentials.set('one', { cookies: { sid: SHOP_ONE } });",
  ],
  [{ oauth: { type: 'oauth2', flows: {} } }, "if (SHOP_TOKEN) credentials.set('oauth', "],
])('takes the credentials of %j from the environment', async (securitySchemes, code) => {
  const project = await written({ '/things': { get: operation() } }, { components: { securitySchemes } });
  expect(project.read('src/shop/shop-settings.ts').replace(/\s+/g, ' ')).toContain(code);
});

it('says which credentials nobody can set', async () => {
  const project = new OpenApiProject();
  const text = documentOf(
    { '/things': { get: operation() } },
    { components: { securitySchemes: { tls: { type: 'mutualTLS' } } } },
  );
  expect(await project.addDocument(text)).toContain('credentials of the kind tls cannot be set');
});

it('leaves out arguments that are deprecated and that nobody has to send, and says so', async () => {
  const project = new OpenApiProject();
  const old = { type: 'string', deprecated: true };
  const text = documentOf({
    '/things': {
      post: operation({
        operationId: 'make',
        parameters: [{ name: 'sort', in: 'query', deprecated: true, schema: { type: 'string' } }],
        ...body({ type: 'object', required: ['needed'], properties: { old, needed: old } }),
      }),
    },
  });
  const said = await project.addDocument(text);
  expect(said).toContain('POST /things: sort is deprecated, and nobody has to send it: it is left out');
  expect(said).toContain('POST /things: old is deprecated');
  expect(project.classText('MakeThingInput')).toBe('@IsString() needed!: string;');
});

it('sends no body with GET, and none that has nothing in it', async () => {
  const project = new OpenApiProject();
  const empty = {
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: {} } } } },
  };
  const said = await project.addDocument(
    documentOf({
      '/things': {
        get: operation({ operationId: 'find', ...body({ type: 'string' }) }),
        post: operation({ operationId: 'make', ...empty }),
      },
    }),
  );
  expect(said).toContain('GET /things: a GET has no body: it is left out');
  expect(feature(project)).toContain('findThings({ signal }: McpContext)');
  expect(feature(project)).toContain("this.shop.text('POST', pathOf`/things`, { signal })");
});

it('is sound with the names of objects, placeholders and titles with digits', async () => {
  const project = new OpenApiProject();
  const parameters = ['constructor', '__proto__', 'toString'].map((name) => ({
    name,
    in: 'query',
    description: 'TODO',
    schema: { type: 'string' },
  }));
  const text = documentOf(
    { '/things': { get: operation({ operationId: 'find', summary: 'TODO', parameters }) } },
    { info: { title: 'Nb 6e', version: '1' } },
  );
  await project.addDocument(text);
  const folder = 'src/nb-6e';
  expect(project.read(`${folder}/things.dto.ts`)).toContain("@Describe('Note: TODO')");
  expect(project.read(`${folder}/things.feature.ts`)).toContain("from './nb-6e-client'");
  expect(project.read(`${folder}/things.feature.ts`)).toContain("'Note: TODO.'");
});

describe('a schema of an argument', () => {
  /** The members of one class each, in one project. */
  const SCHEMAS: readonly (readonly [schema: object, code: string])[] = [
    [{ type: 'string', enum: ['a', 'b'] }, "@IsIn(['a', 'b']) value!: 'a' | 'b';"],
    [{ const: 'a' }, "@IsIn(['a']) value!: 'a';"],
    [{ type: ['string', 'null'], maxLength: 5 }, '@Nullable() @IsString() @MaxLength(5) value!: string | null;'],
    [{ type: 'string', nullable: true }, '@Nullable() @IsString() value!: string | null;'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, '@IsNumber() @IsPositive() value!: number;'],
    [
      { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 2 } },
      '@IsArray() @ArrayNotEmpty() @ArrayUnique() @IsString({ each: true }) @MinLength(2, { each: true }) value!: string[];',
    ],
    [{ type: 'array', items: { type: 'number' } }, '@IsArray() @IsNumber(undefined, { each: true }) value!: number[];'],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      '@RecordOf(Number) value!: Record<string, number>;',
    ],
    [{ type: 'object' }, '@IsObject() value!: Record<string, unknown>;'],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, '@AnyOf(() => [String, Number]) value!: string | number;'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, '@Nullable() @IsString() value!: string | null;'],
    [
      { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      '@IsArray() @IsString({ each: true }) value!: string[];',
    ],
    [{ type: ['string', 'integer'] }, '@AnyOf(() => [String, Number]) value!: string | number;'],
    [{ type: 'string', format: 'uuid' }, '@IsString() @IsUUID() value!: string;'],
    [{ type: 'string', pattern: '^[a-z]/$' }, '@IsString() @Matches(/^[a-z]\\/$/u) value!: string;'],
    [{ type: 'string', pattern: '^(a+)+$' }, '@IsString() value!: string;'],
    [{ type: 'string', pattern: '(' }, '@IsString() value!: string;'],
    [{}, '@Allow() value!: unknown;'],
    [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, '@IsArray() @Allow() value!: unknown[];'],
    [
      { enum: Array.from({ length: 50 }, (_, index) => `v${index}`) },
      "@Describe('One of 50, such as v0, v1, v2, v3') @IsString() value!: string;",
    ],
    [{ type: 'string', default: 'x' }, '@IsString() value!: string;'],
  ];
  let classes: readonly string[];
  beforeAll(async () => {
    const paths = SCHEMAS.map(([schema], at) => [
      `/things/${at}`,
      {
        post: operation({
          operationId: `make${at}`,
          ...body({ type: 'object', required: ['value'], properties: { value: schema } }),
        }),
      },
    ]);
    const project = await written(Object.fromEntries(paths) as object);
    classes = SCHEMAS.map((_, at) => project.classText(`Make${at}Input`));
  });

  it.each(SCHEMAS.map(([schema, code], at) => [schema, code, at] as const))(
    'is %j in decorators',
    (_schema, code, at) => {
      expect(classes[at]).toBe(code);
    },
  );
});
