/** Documents that are made to take long, or to be endless: each ends soon, as tools or as a failure that says why. */
import { answering, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

jest.setTimeout(120_000);
afterEach(removeProjects);

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: object): object => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});
/** Each schema refers to the next one twice. */
const doubled = (word: string, more: object = {}): Record<string, object> => ({
  S60: { type: 'object', properties: { end: { type: 'string' } } },
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `S${index}`,
      word === 'properties'
        ? { type: 'object', properties: { a: ref(`S${index + 1}`), b: ref(`S${index + 1}`) } }
        : { [word]: [ref(`S${index + 1}`), ref(`S${index + 1}`)], ...more },
    ]),
  ),
});

it.each<[string, Record<string, object>]>([
  ['allOf twice at each of 60 levels', doubled('allOf')],
  ['oneOf twice at each of 60 levels', doubled('oneOf')],
  ['anyOf twice at each of 60 levels', doubled('anyOf')],
  ['oneOf and members at each of 60 levels', doubled('oneOf', { properties: { a: ref('S1'), b: ref('S60') } })],
  ['two lists of alternatives at each of 60 levels', doubled('oneOf', { allOf: [{ anyOf: [ref('S1'), ref('S2')] }] })],
  [
    'each of 60 extensions of the one before',
    doubled('allOf', { discriminator: { propertyName: 'a' }, properties: { a: ref('S0') } }),
  ],
  ['members twice at each of 60 levels', doubled('properties')],
  ['a list of itself', { S0: { type: 'array', items: ref('S0') } }],
  ['a map of itself', { S0: { type: 'object', additionalProperties: ref('S0') } }],
  ['one of itself', { S0: { oneOf: [ref('S0')] } }],
  ['one of itself or a text', { S0: { anyOf: [{ type: 'string' }, ref('S0')] } }],
  ['all of itself', { S0: { allOf: [ref('S0'), ref('S1')] }, S1: { allOf: [ref('S0')] } }],
  ['a list of maps of lists', { S0: { type: 'array', items: ref('S1') }, S1: { additionalProperties: ref('S0') } }],
  ['one of a list of itself', { S0: { oneOf: [{ type: 'array', items: ref('S0') }] } }],
  ['a reference to itself', { S0: ref('S0') }],
  [
    'members that are itself',
    { S0: { type: 'object', properties: { a: ref('S0'), b: { type: 'array', items: ref('S0') } } } },
  ],
])('are soon read if a schema is %s', async (_what, schemas) => {
  const project = new OpenApiProject();
  const paths = {
    '/a': {
      post: answering(ref('S0'), {
        ...body(ref('S0')),
        parameters: [{ name: 'q', in: 'query', schema: ref('S0') }],
      }),
    },
    '/b': { put: operation(body({ type: 'object', properties: { inside: ref('S0') } })) },
  };
  const said = await project.addDocument(documentOf(paths, { components: { schemas } }));
  expect(said).toContain('2 of 2 operations are tools');
});

it.each(['allOf', 'oneOf', 'properties', 'items'])(
  'are soon read or refused if %s leads through 20,000 schemas',
  async (word) => {
    const project = new OpenApiProject();
    const schemas = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => {
        const next = ref(`S${index + 1}`);
        return [
          `S${index}`,
          word === 'properties' ? { properties: { next } } : word === 'items' ? { items: next } : { [word]: [next] },
        ];
      }),
    );
    project.write('api.json', documentOf({ '/a': { post: operation(body(ref('S0'))) } }, { components: { schemas } }));
    const { status, stderr } = await project.add('api.json');
    expect({ status, stderr }).toEqual(
      status === 0
        ? { status, stderr: '' }
        : { status: 1, stderr: expect.stringContaining('it is nested too deeply') as string },
    );
  },
);

it('are refused if they are nested without an end', async () => {
  for (const [open, close] of [
    ['{"allOf":[', ']}'],
    ['{"items":', '}'],
    ['[', ']'],
  ] as const) {
    const deep = `${open.repeat(50_000)}{}${close.repeat(50_000)}`;
    const text = documentOf({ '/a': { get: answering({ $ref: '#/components/schemas/S0' }) } }).replace(
      /\}$/,
      `,"components":{"schemas":{"S0":${deep}}}}`,
    );
    const project = new OpenApiProject({ 'api.json': text });
    const { status, stderr } = await project.add('api.json');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('it is nested too deeply') as string,
    });
  }
});

it('are refused if their aliases multiply', async () => {
  const lines = Array.from({ length: 12 }, (_, index) =>
    index === 0
      ? 'x0: &a0 [a, a, a, a, a, a, a, a, a, a]'
      : `x${index}: &a${index} [${Array(10)
          .fill(`*a${index - 1}`)
          .join(', ')}]`,
  );
  const project = new OpenApiProject({
    'api.yaml': `openapi: 3.0.0\n${lines.join('\n')}\npaths: { /a: { get: { responses: {} } } }\n`,
  });
  const { status, stderr } = await project.add('api.yaml');
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('SIGIL_OPENAPI_SYNTAX') as string });
});

it('may have texts of any length, which become short in work that grows with their length', async () => {
  const texts = ['![', '<!--', '**', '[a](', '```', '<a', '_a', '- ', 'x', 'A', '/', 'a.b ', '\\', '> [!', '{'];
  /** Milliseconds of CPU time that a document takes. Others may use the machine meanwhile. */
  const workFor = async (characters: number): Promise<number> => {
    const long = (text: string): string => text.repeat(characters / text.length);
    const paths = Object.fromEntries(
      texts.map((text, index) => [
        `/t${index}`,
        {
          post: operation({
            ...{ summary: long(text), description: long(text), operationId: long(text), tags: [`t${long(text)}`] },
            parameters: [
              { name: 'q', in: 'query', description: long(text), schema: { type: 'string', default: long(text) } },
            ],
            ...body({
              type: 'object',
              properties: { a: { type: 'string', pattern: long(text), enum: [long(text), 'b'] } },
            }),
          }),
        },
      ]),
    );
    const project = new OpenApiProject();
    const before = process.cpuUsage();
    const said = await project.addDocument(documentOf(paths));
    const { user, system } = process.cpuUsage(before);
    expect(said).toContain('15 of 15 operations are tools');
    return (user + system) / 1000;
  };
  const [short, long] = [await workFor(12_000), await workFor(240_000)];
  // Twenty times the length, and less than twenty times the work: a part of it is the same for any length.
  expect(long).toBeLessThan(short * 20);
});
