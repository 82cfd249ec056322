/** Parameters and bodies in rarer forms: the code that is written sends what the API understands, and what it cannot send is said. */
import { arrivedFrom } from './asked-api';
import { CHECKED, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);

async function written(
  more: object,
  path = '/things',
): Promise<{ feature: string; said: string; project: OpenApiProject }> {
  const project = new OpenApiProject();
  const said = await project.addDocument(documentOf({ [path]: { post: operation({ operationId: 'make', ...more }) } }));
  const feature = project.read('src/shop/things.feature.ts').replace(/\s+/g, ' ');
  return { feature, said, project };
}
const text = { type: 'string' };
const withBody = (mediaType: string, schema: object = text, more: object = {}): object => ({
  requestBody: { required: true, content: { [mediaType]: { schema, ...more } } },
});

it('writes a parameter of text as text, and one of JSON as JSON', async () => {
  const { feature, said } = await written({
    parameters: [
      { name: 'plain', in: 'query', content: { 'text/plain': { schema: text } } },
      { name: 'data', in: 'query', content: { 'application/json': { schema: text } } },
      { name: 'tree', in: 'query', content: { 'application/xml': { schema: text } } },
    ],
  });
  expect(feature).toContain('data: inJson(data)');
  expect(feature).not.toMatch(/(?:plain|tree): in/);
  expect(said).toContain(
    'POST /things: tree is written as application/xml, which nobody checks: the model has to write it',
  );
});

it.each(['X Header', 'x\r\ny: z', 'ä', '', 'Transfer-Encoding', 'Expect'])(
  'leaves out a header that is called %j',
  async (name) => {
    const { project, said } = await written({
      parameters: [
        { name, in: 'header', schema: text },
        { name: 'X-Good', in: 'header', schema: text },
      ],
    });
    expect(project.classText('MakeThingInput')).toBe('@IsOptional() @IsString() xGood?: string;');
    expect(said).toContain(`POST /things: no client can send the header ${JSON.stringify(name)}: it is left out`);
  },
);

it('says that reserved characters are encoded', async () => {
  const parameter = { name: 'url', in: 'query', allowReserved: true, schema: text };
  expect((await written({ parameters: [parameter] })).said).toContain(
    'POST /things: url may have reserved characters, which the client encodes',
  );
});

it.each([
  ['*/*', 'json: body, signal'],
  ['application/*', 'json: body, signal'],
  ['application/json; charset=utf-8', "json: body, type: 'application/json; charset=utf-8'"],
  ['application/merge-patch+json', "json: body, type: 'application/merge-patch+json'"],
  ['text/*', "raw: body, type: 'text/plain'"],
  ['image/*', 'raw: bytesOf(body), signal'],
  ['image/png\r\nx: y', 'raw: bytesOf(body), signal'],
  ['', 'raw: bytesOf(body), signal'],
])('sends a body of %j with a media type that is one', async (mediaType, code) => {
  const { feature } = await written(withBody(mediaType));
  expect(feature.replace(/\.\.\.\(body !== undefined && \{ raw: body \}\)/, 'raw: body')).toContain(code);
});

it('writes the lists of a form with commas if the document says so', async () => {
  const schema = {
    type: 'object',
    properties: { tags: { type: 'array', items: text }, ids: { type: 'array', items: text } },
  };
  const { feature } = await written(
    withBody('application/x-www-form-urlencoded', schema, { encoding: { tags: { style: 'form', explode: false } } }),
  );
  expect(feature).toContain('form: { ...body, tags: inCommas(tags) }');
});

it('leaves null out of a form, with brackets and without', async () => {
  const orNull = { type: 'string', nullable: true };
  for (const more of [{}, { at: { type: 'object', properties: { x: orNull } } }]) {
    const schema = { type: 'object', properties: { a: orNull, b: text, ...more } };
    const { project } = await written(withBody('application/x-www-form-urlencoded', schema));
    const { body } = await arrivedFrom(project, 'makeThing', {
      a: null,
      b: 'c',
      ...('at' in more && { at: { x: null } }),
    });
    expect(body.toString()).toBe('b=c');
  }
});

it('sends the lists of a form as pairs next to objects in brackets, and JSON where the document says so', async () => {
  const list = { type: 'array', items: text };
  const point = { type: 'object', properties: { x: text } };
  const schema = { type: 'object', properties: { tags: list, deep: list, ids: list, at: point, meta: point } };
  const encoding = {
    ...{ deep: { style: 'deepObject' }, ids: { explode: false }, meta: { contentType: 'application/json' } },
  };
  const { project } = await written(withBody('application/x-www-form-urlencoded', schema, { encoding }));
  const given = { tags: ['a', 'b'], deep: ['c'], ids: ['1', '2'], at: { x: '3' }, meta: { x: '4' } };
  const { body } = await arrivedFrom(project, 'makeThing', given);
  expect(body.toString().split('&').map(decodeURIComponent).sort()).toEqual([
    'at[x]=3',
    'deep[0]=c',
    'ids=1,2',
    'meta={"x":"4"}',
    'tags=a',
    'tags=b',
  ]);
});

it.each([
  [['application/json-patch+json', 'application/json'], 'application/json', true],
  [['application/x-www-form-urlencoded', 'multipart/form-data'], 'multipart/form-data', true],
  [['application/json', 'multipart/form-data'], 'multipart/form-data', true],
  [['multipart/mixed', 'application/octet-stream'], 'application/octet-stream', false],
  [['application/*+json', 'text/json', 'application/json'], 'application/json', false],
])('chooses the best media type for a file or a text, and says which: %j', async (types, chosen, isSaid) => {
  const file = chosen.startsWith('multipart') ? { type: 'string', format: 'binary' } : text;
  const schema = { type: 'object', properties: { file } };
  const patch = { type: 'array', items: {} };
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: type.includes('patch') ? patch : schema }] as const),
  );
  const { project, said } = await written({ requestBody: { required: true, content } });
  const { headers } = await arrivedFrom(project, 'makeThing', chosen.endsWith('stream') ? { body: 'YQ==' } : {});
  expect(headers['content-type']?.split(';')[0]).toBe(chosen);
  expect(said.includes(`: it is sent as ${chosen}`)).toBe(isSaid);
});

it.each([
  ['application/json', { type: 'string', format: 'binary' }],
  ['application/x-www-form-urlencoded', { type: 'string', format: 'binary' }],
  ['application/x-www-form-urlencoded', { type: ['string', 'null'], contentMediaType: 'image/png' }],
])('chooses multipart/form-data for a file that %s does not have, and which is %j', async (other, file) => {
  const content = {
    [other]: { schema: { type: 'object', properties: { name: text } } },
    'multipart/form-data': { schema: { type: 'object', properties: { name: text, file } } },
  };
  const { project, said } = await written({ requestBody: { required: true, content } });
  const { headers, body } = await arrivedFrom(project, 'makeThing', { file: 'YQ==' });
  expect(headers['content-type']?.split(';')[0]).toBe('multipart/form-data');
  expect(body.toString()).toContain('name="file"');
  expect(said).toContain(`the body may be multipart/form-data, ${other}: it is sent as multipart/form-data`);
});

it('a file of a form alone does not make a body of JSON another one', async () => {
  const file = { type: 'string', format: 'binary' };
  const content = {
    'text/plain': { schema: text },
    'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { file } } },
    'application/json': { schema: { type: 'object', properties: { name: text } } },
  };
  const { project } = await written({ requestBody: { required: true, content } });
  expect((await arrivedFrom(project, 'makeThing', { name: 'a' })).body.toString()).toBe('{"name":"a"}');
});

it('says that a body of parts which are no form is no tool', async () => {
  const project = new OpenApiProject();
  const paths = {
    '/things': { post: operation(withBody('multipart/mixed')), get: operation() },
  };
  expect(await project.addDocument(documentOf(paths))).toContain(
    'POST /things: its body is multipart/mixed, which the client cannot write',
  );
});

it('sends no header and no body for what is left out, and takes a header in another case for the same', async () => {
  const parameters = [
    { name: 'X-Ids', in: 'header', schema: { type: 'array', items: text } },
    { name: 'x-shop', in: 'header', schema: { type: 'integer' } },
  ];
  const requestBody = { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
  const shared = [{ name: 'X-Shop', in: 'header', required: true, schema: text }];
  const post = operation({ operationId: 'make', parameters, requestBody });
  const project = new OpenApiProject();
  await project.addDocument(documentOf({ '/things': { parameters: shared, post } }));
  const nothing = await arrivedFrom(project, 'makeThing', {});
  for (const name of ['x-ids', 'x-shop', 'content-type']) expect(nothing.headers).not.toHaveProperty(name);
  const all = await arrivedFrom(project, 'makeThing', { xIds: ['a', 'b'], xShop: 1, body: 'YQ==' });
  expect(all.headers).toMatchObject({ 'x-ids': 'a,b', 'x-shop': '1', 'content-type': 'application/octet-stream' });
  expect(all.body.toString()).toBe('a');
});

it('sends what a rule fixes in the style of its parameter, and a body that it fixes', async () => {
  const list = { type: 'array', items: { type: 'integer' } };
  const parameters = [
    { name: 'ids', in: 'path', required: true, style: 'label', schema: list },
    { name: 'tags', in: 'query', explode: false, schema: list },
    { name: 'where', in: 'query', style: 'deepObject', schema: { type: 'object' } },
    { name: 'X-Ids', in: 'header', schema: list },
  ];
  const post = operation({ operationId: 'make', parameters, ...withBody('text/plain') });
  const fix = '{ ids: [1, 2], tags: [3, 4], where: { a: 5 }, X-Ids: [6, 7], body: hello }';
  const project = new OpenApiProject({
    ...CHECKED,
    'rules.yaml': `operations:\n  make:\n    name: makeThing\n    fix: ${fix}\n`,
  });
  await project.addDocument(documentOf({ '/things/{ids}': { post } }), '--rules', 'rules.yaml');
  expect(project.compile()).toBe('');
  const { url, headers, body } = await arrivedFrom(project, 'makeThing', {});
  expect(url).toBe('/things/.1,2?tags=3,4&where%5Ba%5D=5');
  expect([headers['x-ids'], headers['content-type'], body.toString()]).toEqual(['6,7', 'text/plain', 'hello']);
});
