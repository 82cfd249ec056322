/** Parameters and bodies in rarer forms: the code that is written sends what the API understands, and what it cannot send is said. */
import { documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

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
  ['image/*', "raw: Buffer.from(body, 'base64'), signal"],
  ['image/png\r\nx: y', "raw: Buffer.from(body, 'base64'), signal"],
  ['', "raw: Buffer.from(body, 'base64'), signal"],
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
