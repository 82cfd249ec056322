/** Operations that are on another server than the API: no tool asks the wrong one, and the report names what is left out, with the reason. */
import { documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);

const on = (...urls: readonly string[]): object => ({ servers: urls.map((url) => ({ url })) });
const paths = {
  '/a': { get: operation({ operationId: 'findA', tags: ['a'] }) },
  '/files': {
    post: operation({ operationId: 'files/upload', tags: ['files'], ...on('https://uploads.shop.example/v1/') }),
  },
};
const LEFT = `Chosen, but without a tool:
  POST /files: its server is https://uploads.shop.example/v1, and a client has one address. Add it with --server https://uploads.shop.example/v1, a --name of its own and --only "files/upload"`;

it('are named in the report with their server, and with what to do', async () => {
  const project = new OpenApiProject();
  const said = await project.addDocument(documentOf(paths));
  expect(said).toContain('1 of 2 operations are tools');
  expect(said).toContain(LEFT);
  expect(project.files()).not.toContain('src/shop/files.feature.ts');
  expect(await project.addDocument(documentOf(paths))).toContain(LEFT);
});

it('become tools of a client of their own', async () => {
  const project = new OpenApiProject();
  await project.addDocument(documentOf(paths));
  const server = ['--server', 'https://uploads.shop.example/v1', '--name', 'uploads'];
  const said = await project.addDocument(documentOf(paths), ...server, '--only', 'files/upload');
  expect(said).not.toContain('without a tool');
  expect(project.read('src/uploads/uploads-settings.ts')).toContain("'https://uploads.shop.example/v1'");
  expect(project.read('src/uploads/files.feature.ts')).toContain("'POST', pathOf`/files`");
  expect(project.read('src/server.ts')).toContain('modules: [shopModule(), uploadsModule()]');
  const again = await project.add('--name', 'uploads', '--check');
  expect(again).toMatchObject({ status: 0, stderr: '' });
});

it('are served if one of their servers is that of the API, in whatever way it is written', async () => {
  const project = new OpenApiProject();
  const servers = [{ url: 'https://{where}.example/v1/', variables: { where: { default: 'shop' } } }];
  const said = await project.addDocument(
    documentOf(
      {
        '/a': { get: operation(on('https://SHOP.example:443/v1')) },
        '/b': { get: operation(on('https://eu.example', 'https://shop.example/v1/')) },
        '/c': { get: operation({ servers: [] }), servers: [{ url: 'https://shop.example/v1' }] },
      },
      { servers },
    ),
  );
  expect(said).toContain('3 of 3 operations are tools');
});

it('is that of the operations if the document as a whole names none', async () => {
  const project = new OpenApiProject();
  const said = await project.addDocument(
    documentOf(
      {
        '/a': { get: operation(), ...on('https://one.example') },
        '/b': { get: operation(), ...on('https://one.example') },
        '/c': { get: operation(), ...on('https://two.example') },
      },
      { servers: undefined },
    ),
  );
  expect(said).toContain('2 of 3 operations are tools');
  expect(said).toContain('GET /c: its server is https://two.example');
  expect(project.read('src/shop/shop-settings.ts')).toContain("SHOP_URL || 'https://one.example'");
});

it('are named only if they were chosen, and a choice of nothing else is refused with the reason', async () => {
  const project = new OpenApiProject();
  expect(await project.addDocument(documentOf(paths), '--tag', 'a')).not.toContain('without a tool');
  const other = new OpenApiProject({ 'api.json': documentOf(paths) });
  for (const words of [
    ['--only', 'files/upload'],
    ['--tag', 'files'],
  ])
    expect(await other.add('api.json', ...words)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /POST \/files cannot be a tool: its server is https:\/\/uploads\.shop\.example[^]*SIGIL_OPENAPI_NO_TOOL/,
      ) as string,
    });
});

it('are named beside the others that were chosen with them, which are written', async () => {
  const project = new OpenApiProject({ 'api.json': documentOf(paths) });
  const { status, stdout } = await project.add('api.json', '--only', 'files/upload', '--only', '/a');
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /1 of 2 operations are tools[^]*Chosen, but without a tool:\n {2}POST \/files: its server is https:\/\/uploads\.shop\.example/,
    ) as string,
  });
  expect(project.files()).toContain('src/shop/a.feature.ts');
  // The choice stays, and so does the line.
  expect((await project.add()).stdout).toContain('Chosen, but without a tool:\n  POST /files');
});

it('names methods that are no tools, too', async () => {
  const project = new OpenApiProject();
  const said = await project.addDocument(documentOf({ '/a': { get: operation(), head: operation() } }));
  expect(said).toContain('Chosen, but without a tool:\n  HEAD /a: a model needs nothing that HEAD says');
});

it('says why an operation is gone that has moved to another server', async () => {
  const project = new OpenApiProject();
  await project.addDocument(documentOf({ ...paths, '/b': { get: operation({ tags: ['a'] }) } }));
  const said = await project.addDocument(
    documentOf({ ...paths, '/b': { get: operation({ tags: ['a'], ...on('https://b.example') }) } }),
  );
  expect(said).toMatch(/Its tool is gone:\n {2}GET \/b: \w+, because its server is https:\/\/b\.example/);
});
