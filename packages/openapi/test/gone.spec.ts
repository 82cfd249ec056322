/** A later document without what was there: files stay, the report says what to do with them, and what comes back finds its edits. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { answering, CHECKED, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

jest.setTimeout(120_000);
afterEach(removeProjects);

const schemas = { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } };
const pets = (summary = 'Gets a pet'): object => ({
  '/pets/{id}': {
    get: answering({ $ref: '#/components/schemas/Pet' }, { operationId: 'getPet', tags: ['pets'], summary }),
  },
  '/pets': { get: answering({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }, { tags: ['pets'] }) },
});
const orders = { '/orders': { get: operation({ operationId: 'listOrders', tags: ['orders'] }) } };
const shop = (...paths: readonly object[]): string =>
  documentOf(Object.assign({}, ...paths) as object, { components: { schemas } });

const FEATURE = 'src/shop/pets.feature.ts';
const MODULE = 'src/shop/shop.module.ts';
const FILES = [FEATURE, 'src/shop/pets.dto.ts', 'test/shop-pets.spec.ts'];

async function first(...words: readonly string[]): Promise<OpenApiProject> {
  const project = new OpenApiProject(CHECKED);
  await project.addDocument(shop(pets(), orders), ...words);
  return project;
}

it('keeps the files of a feature without operations, takes its tools out of the module, and says so in each run', async () => {
  const project = await first();
  const before = FILES.map((path) => project.read(path));
  for (const removed of ['Gone from the document:\n  GET /pets: listPets\n  GET /pets/{id}: getPet', undefined]) {
    const said = await project.addDocument(shop(orders));
    if (removed !== undefined) expect(said).toContain(removed);
    expect(said).toContain(
      `Features without an operation:\n  pets: the module has it no more, and its files stay. Delete them: ${FILES.join(', ')}`,
    );
    expect(FILES.map((path) => project.read(path))).toEqual(before);
    expect(project.read(MODULE)).toContain('features: [OrdersFeature]');
    expect(project.compile()).toBe('');
  }
});

it('keeps the tools of such a feature if a person has changed it', async () => {
  const project = await first();
  project.edit(FEATURE, "'Gets a pet.'", "'My words.'");
  const said = await project.addDocument(shop(orders));
  expect(said).toContain(
    `Features without an operation:\n  pets: you have changed it, so that its tools stay, although the API may not know them. ` +
      `To remove it, take PetsFeature out of ${MODULE}, and delete ${FILES.join(', ')}`,
  );
  expect(project.read(FEATURE)).toContain("'My words.'");
  expect(project.read(MODULE)).toMatch(/features: \[\w+, \w+\]/);
  expect(project.read(MODULE)).toContain('PetsFeature');
  expect(project.compile()).toBe('');
});

it('finds the edits again if the operations come back', async () => {
  const project = await first();
  project.edit(FEATURE, "'Gets a pet.'", "'My words.'");
  await project.addDocument(shop(orders));
  await project.addDocument(shop(orders));
  const said = await project.addDocument(shop(pets('Fetches a pet'), orders));
  expect(said).toContain(`PetsFeature.getPet (${FEATURE}): look at it`);
  expect(said).not.toContain('Features without an operation');
  expect(project.read(FEATURE)).toContain("'My words.'");
});

it('says nothing more of files that were deleted', async () => {
  const project = await first();
  await project.addDocument(shop(orders));
  for (const path of FILES) rmSync(join(project.folder, path));
  const said = await project.addDocument(shop(orders));
  expect(said).not.toContain('Features without an operation');
  expect(project.read('src/shop/openapi.lock.json')).not.toContain('pets.feature');
  expect(FILES.some((path) => existsSync(join(project.folder, path)))).toBe(false);
});

it('names other files that nothing needs any more', async () => {
  const project = await first();
  const text = shop({ '/pets/{id}': { get: operation({ operationId: 'getPet', tags: ['pets'] }) } }, orders);
  const said = await project.addDocument(text);
  expect(said).toContain('Files that nothing needs any more, unless code of yours does:\n  src/shop/models.ts');
});

it('leaves an operation in its feature when the document moves it to another tag', async () => {
  const project = await first();
  project.edit(FEATURE, "'Gets a pet.'", "'My words.'");
  const said = await project.addDocument(shop(pets(), orders).replaceAll('"tags":["pets"]', '"tags":["animals"]'));
  expect(project.files()).not.toContain('src/shop/animals.feature.ts');
  expect(project.read(FEATURE)).toContain("'My words.'");
  expect(said).not.toContain('Features without an operation');
});

it('names tools whose operations nobody chooses any more, and choices that choose nothing', async () => {
  const project = await first('--tag', 'pets', '--only', 'listOrders');
  const text = shop(pets(), { '/orders': { get: operation({ operationId: 'findOrders', tags: ['orders'] }) } });
  project.write('api.json', text.replaceAll('"tags":["pets"]', '"tags":["animals"]'));
  const { status, stdout } = await project.add('--check');
  expect(status).toBe(1);
  expect(stdout).toContain('  GET /pets: not chosen any more\n');
  const said = (await project.add()).stdout;
  expect(said).toContain(
    'Not chosen any more:\n  GET /orders: listOrders\n  GET /pets: listPets\n  GET /pets/{id}: getPet',
  );
  expect(said).toContain('no operation fits the tag pets, which was chosen before');
  expect(said).toContain('no operation fits listOrders, which was chosen before');
});

it('points to a module that a person has changed, and that lacks a new feature', async () => {
  const project = await first();
  project.edit(MODULE, "name: 'shop'", "name: 'my-shop'");
  expect(await project.addDocument(shop(pets(), orders))).toContain(`shopModule (${MODULE})`);
  const said = await project.addDocument(shop(pets(), orders, { '/bills': { get: operation({ tags: ['bills'] }) } }));
  expect(said).toContain(`shopModule (${MODULE}): look at it, since the document says something else now`);
  expect(project.read(MODULE)).toContain("name: 'my-shop'");
});
