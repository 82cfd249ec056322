/** Files of a body in several parts: the code that is written gives each a name and a media type, which a server on a real socket receives. */
import { arrivedFrom, formOf } from './asked-api';
import { CHECKED, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

jest.setTimeout(120_000);
afterEach(removeProjects);

const text = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const upload = (properties: object, encoding: object = {}, required: readonly string[] = []): object => ({
  post: operation({
    operationId: 'uploadPhoto',
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { type: 'object', properties, required }, encoding } },
    },
  }),
});
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const written = async (path: object, ...words: string[]): Promise<{ project: OpenApiProject; said: string }> => {
  const project = new OpenApiProject(CHECKED);
  const said = await project.addDocument(documentOf({ '/photos': path }), ...words, '--remarks');
  expect(project.compile()).toBe('');
  return { project, said };
};

/** Calls the tool that was written. @returns what the API received */
const receivedFrom = async (project: OpenApiProject, given: object): Promise<FormData> =>
  formOf(await arrivedFrom(project, 'uploadPhoto', given));

async function described(form: FormData): Promise<Record<string, unknown>[]> {
  return Promise.all(
    [...form].map(async ([part, value]) =>
      typeof value === 'string'
        ? { part, value }
        : { part, name: value.name, type: value.type, value: await value.text() },
    ),
  );
}

it('are called and typed as the document says their type', async () => {
  const properties = {
    photo: binary,
    table: binary,
    scan: text,
    notes: { type: 'string', contentMediaType: 'application/pdf' },
    title: text,
  };
  const encoding = {
    photo: { contentType: 'image/png' },
    table: { contentType: 'text/csv; charset=utf-8' },
    scan: { contentType: 'image/jpeg' },
    title: { contentType: 'text/plain' },
  };
  const { project, said } = await written(upload(properties, encoding));
  expect(project.classText('UploadPhotoInput')).not.toContain('Name');
  expect(said).not.toContain('What tools cannot say');
  const base64 = Buffer.from('bytes').toString('base64');
  const form = await receivedFrom(project, {
    photo: base64,
    table: base64,
    scan: base64,
    notes: base64,
    title: 'A title',
  });
  expect(await described(form)).toEqual([
    { part: 'photo', name: 'photo.png', type: 'image/png', value: 'bytes' },
    { part: 'table', name: 'table.csv', type: 'text/csv', value: 'bytes' },
    { part: 'scan', name: 'scan.jpg', type: 'image/jpeg', value: 'bytes' },
    { part: 'notes', name: 'notes.pdf', type: 'application/pdf', value: 'bytes' },
    { part: 'title', value: 'A title' },
  ]);
});

it.each([
  ['holiday.JPG', 'image/jpeg'],
  ['holiday', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
])('have a name as an argument where the document does not say their type: %s', async (name, type) => {
  const { project } = await written(
    upload({ photo: binary, photoName: text }, { photo: { contentType: 'image/*, application/pdf' } }, ['photo']),
  );
  expect(project.classText('UploadPhotoInput')).toContain(
    "@Describe('Name of the file photo with its ending, such as photo.png') @IsString() photoName_file!: string;",
  );
  const form = await receivedFrom(project, { photo: 'YQ==', photoName_file: name, photoName: 'mine' });
  expect(await described(form)).toEqual([
    { part: 'photo', name, type, value: 'a' },
    { part: 'photoName', value: 'mine' },
  ]);
});

it('keep a type whose ending nobody knows, and may be left out with their name', async () => {
  const { project } = await written(
    upload({ model_data: binary, title: text }, { model_data: { contentType: 'model/gltf-binary' } }),
  );
  expect(project.classText('UploadPhotoInput')).toContain('model_data_name?: string');
  const form = await receivedFrom(project, { model_data: 'YQ==', model_data_name: 'a.glb', title: 'x' });
  expect(await described(form)).toContainEqual({
    part: 'model_data',
    name: 'a.glb',
    type: 'model/gltf-binary',
    value: 'a',
  });
  expect(await described(await receivedFrom(project, { title: 'x' }))).toEqual([{ part: 'title', value: 'x' }]);
  expect(await described(await receivedFrom(project, { model_data: 'YQ==' }))).toEqual([
    { part: 'model_data', name: 'model_data', type: 'model/gltf-binary', value: 'a' },
  ]);
});

it('may be several in one member, which are a part each, and the report says that they have no names', async () => {
  const { project, said } = await written(
    upload(
      {
        photos: { type: 'array', items: binary },
        pages: { type: 'array', items: binary },
        tags: { type: 'array', items: text },
      },
      { pages: { contentType: 'application/pdf' } },
    ),
  );
  expect(said).toContain(
    'POST /photos: the document does not say how the files of photos are called: each is sent as photos',
  );
  expect(said).not.toContain('files of pages');
  const form = await receivedFrom(project, { photos: ['YQ==', 'Yg=='], pages: ['Yw=='], tags: ['x', 'y'] });
  expect(await described(form)).toEqual([
    { part: 'photos', name: 'photos', type: 'application/octet-stream', value: 'a' },
    { part: 'photos', name: 'photos', type: 'application/octet-stream', value: 'b' },
    { part: 'pages', name: 'pages.pdf', type: 'application/pdf', value: 'c' },
    { part: 'tags', value: 'x' },
    { part: 'tags', value: 'y' },
  ]);
});

it.each([
  ['fix: { photoName: me.gif }', { photo: 'YQ==' }, [{ part: 'photo', name: 'me.gif', type: 'image/gif', value: 'a' }]],
  [
    'hide: [photoName]',
    { photo: 'YQ==' },
    [{ part: 'photo', name: 'photo', type: 'application/octet-stream', value: 'a' }],
  ],
  ['hide: [photo]', { title: 'x' }, [{ part: 'title', value: 'x' }]],
  ['fix: { photo: YQ== }', {}, [{ part: 'photo', name: 'photo', type: 'application/octet-stream', value: 'a' }]],
])('follow rules: %s', async (rule, given, parts) => {
  const project = new OpenApiProject({ ...CHECKED, 'rules.yaml': `operations:\n  uploadPhoto:\n    ${rule}\n` });
  await project.addDocument(documentOf({ '/photos': upload({ photo: binary, title: text }) }), '--rules', 'rules.yaml');
  expect(project.compile()).toBe('');
  expect(project.classText('UploadPhotoInput')).not.toContain('photoName');
  expect(await described(await receivedFrom(project, given))).toEqual(parts);
});

it('are read from base64 in each spelling, and anything else is refused', async () => {
  const { project } = await written(upload({ photo: binary }, { photo: { contentType: 'image/png' } }));
  const file = { part: 'photo', name: 'photo.png', type: 'image/png', value: 'bytes' };
  for (const photo of ['Ynl0ZXM=', 'Ynl0ZXM', 'Ynl0\nZXM=\n', 'data:image/png;base64,Ynl0ZXM='])
    expect(await described(await receivedFrom(project, { photo }))).toEqual([file]);
  for (const photo of ['/tmp/photo.png', 'a photo of the sea!', 'Ynl0==ZXM='])
    await expect(receivedFrom(project, { photo })).rejects.toThrow('A file is not base64. Encode its bytes.');
});

it('are files where they may be null, alone and in lists, and null is not sent', async () => {
  const photos = orNull({ type: 'array', items: orNull(binary) });
  const properties = { photo: orNull(binary), photos, old: { ...binary, nullable: true } };
  const { project } = await written(upload(properties));
  const form = await receivedFrom(project, { photo: 'YQ==', photoName: 'a.png', photos: ['Yg=='], old: null });
  expect(await described(form)).toEqual([
    { part: 'photo', name: 'a.png', type: 'image/png', value: 'a' },
    { part: 'photos', name: 'photos', type: 'application/octet-stream', value: 'b' },
  ]);
});

it.each([
  ['no member is given', { photo: binary }],
  ['it has no members', {}],
  ['no member can be sent', { id: { ...text, readOnly: true } }],
])('are sent in a body of several parts, also if %s', async (_case, properties) => {
  const { project } = await written(upload(properties));
  const arrived = await arrivedFrom(project, 'uploadPhoto', {});
  expect(arrived.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(await described(await formOf(arrived))).toEqual([]);
});

it('stand next to parts with the media types of the document, and objects are JSON', async () => {
  const properties = { 'a "b"': binary, meta: { type: 'object', properties: { tag: text } }, feed: text, title: text };
  const encoding = { feed: { contentType: 'application/xml' }, title: { contentType: 'text/plain' } };
  const { project } = await written(upload(properties, encoding));
  const given = { aB: 'YQ==', aBName: 'x"\r\n.png', meta: { tag: 'é' }, feed: '<a/>', title: 'one\ntwo' };
  const arrived = await arrivedFrom(project, 'uploadPhoto', given);
  const parts = arrived.body.toString('utf8').split(/--+[\w-]{30,}(?:\r\n|--\r\n)/);
  expect(parts.filter((part) => part !== '').sort()).toEqual([
    'Content-Disposition: form-data; name="a %22b%22"; filename="x%22%0D%0A.png"\r\nContent-Type: image/png\r\n\r\na\r\n',
    'Content-Disposition: form-data; name="feed"\r\nContent-Type: application/xml\r\n\r\n<a/>\r\n',
    'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"tag":"é"}\r\n',
    'Content-Disposition: form-data; name="title"\r\n\r\none\ntwo\r\n',
  ]);
});
