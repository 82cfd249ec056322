/** A second run after a person has renamed and moved code: it stays theirs, and what is written next to it compiles. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { answering, CHECKED, documentOf, OpenApiProject, removeProjects } from './openapi-project';

jest.setTimeout(120_000);
afterEach(removeProjects);

const schemas = { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } };
const pet = { $ref: '#/components/schemas/Pet' };
const get = (operationId: string, summary: string): object => ({
  get: answering(pet, { operationId, tags: ['pets'], summary }),
});
const shop = (paths: object = {}): string =>
  documentOf({ '/pets/{id}': get('getPet', 'Gets a pet'), ...paths }, { components: { schemas } });
const best = { '/best': get('getBest', 'Gets the best pet') };
const FEATURE = 'src/shop/pets.feature.ts';
const MODULE = 'src/shop/shop.module.ts';

async function first(): Promise<OpenApiProject> {
  const project = new OpenApiProject(CHECKED);
  await project.addDocument(shop());
  return project;
}

/** As an editor renames: everywhere. */
function rename(project: OpenApiProject, before: string, after: string): void {
  for (const path of project.files().filter((each) => each.endsWith('.ts')))
    project.write(path, project.read(path).replace(new RegExp(`\\b${before}\\b`, 'g'), after));
}

it('writes a class again that was renamed, if new code needs it', async () => {
  const project = await first();
  rename(project, 'Pet', 'Animal');
  const said = await project.addDocument(shop(best));
  expect(said).toContain(`PetsFeature.getPet (${FEATURE})`);
  expect(project.read(FEATURE)).toMatch(/Promise<Animal>[^]*Promise<Pet>/);
  expect(project.read('src/shop/models.ts')).toMatch(/class Animal [^]*class Pet |class Pet [^]*class Animal /);
  expect(project.compile()).toBe('');
});

it('does not write a class again that was renamed and that nothing needs', async () => {
  const project = await first();
  rename(project, 'Pet', 'Animal');
  await project.addDocument(shop({ '/pets/{id}': get('getPet', 'Fetches a pet') }));
  expect(project.read('src/shop/models.ts')).not.toMatch(/class Pet /);
  expect(project.compile()).toBe('');
});

it('merges a feature whose class was renamed', async () => {
  const project = await first();
  rename(project, 'PetsFeature', 'CatsFeature');
  const said = await project.addDocument(shop({ '/pets/{id}': get('getPet', 'Fetches a pet'), ...best }));
  expect(said).not.toContain('you have deleted');
  expect(project.read(FEATURE)).toContain("'Fetches a pet.'");
  expect(project.read(FEATURE)).toContain('getBest');
  expect(project.read(MODULE)).toContain('features: [CatsFeature]');
  expect(project.compile()).toBe('');
  expect(await project.addDocument(shop({ '/pets/{id}': get('getPet', 'Fetches a pet'), ...best }))).toContain(
    'Nothing has changed.',
  );
});

it.each([
  ['whose words were changed, too', "'My words.'", false],
  ['and nothing else', "'Gets a pet.'", true],
])('knows a tool whose method was renamed by its operation: one %s', async (_said, words, isUpdated) => {
  const project = await first();
  rename(project, 'getPet', 'fetchOnePet');
  if (!isUpdated) project.edit(FEATURE, "'Gets a pet.'", words);
  const { stdout } = await project.add('--check');
  expect(stdout).toContain('The tools are those of the document.');
  const changed = shop({ '/pets/{id}': get('getPet', 'Gets some pet'), ...best });
  project.write('api.json', changed);
  const { status, stdout: checked } = await project.add('--check');
  expect(status).toBe(1);
  expect(checked).toContain('  GET /pets/{id}: changed: the description\n  GET /best: new');
  const said = await project.addDocument(changed);
  expect(said).toContain('2 of 2 operations are tools');
  expect(said).toContain('Renamed by you, and kept:\n  GET /pets/{id}: fetchOnePet, which was getPet');
  expect(said.includes(`PetsFeature.fetchOnePet (${FEATURE}): look at it`)).toBe(!isUpdated);
  expect(project.read(FEATURE)).toContain(isUpdated ? "'Gets some pet.'" : words);
  expect(project.read(FEATURE)).not.toContain('getPet(');
  expect(project.read('test/shop-pets.spec.ts')).toContain("tool: 'fetchOnePet'");
  expect(project.compile()).toBe('');
  const again = await project.addDocument(changed);
  expect(again).toContain('Nothing has changed.');
  expect(again).not.toContain('Renamed by you');
});

it('knows a renamed method in a class that was renamed, and takes no method of another request for it', async () => {
  const project = await first();
  rename(project, 'PetsFeature', 'CatsFeature');
  rename(project, 'getPet', 'fetchPet');
  expect(await project.addDocument(shop())).toContain('GET /pets/{id}: fetchPet, which was getPet');
  expect(project.compile()).toBe('');
  project.edit(FEATURE, 'fetchPet(', 'countPets(');
  project.edit(FEATURE, 'pathOf`/pets/${id}`', 'pathOf`/pets/${id}/count`');
  expect(await project.addDocument(shop())).toContain('you have deleted the method:\n  GET /pets/{id}: fetchPet');
});

it('takes a file that was moved for one that was deleted, and writes what is new', async () => {
  const project = await first();
  renameSync(join(project.folder, FEATURE), join(project.folder, 'src/shop/cats.feature.ts'));
  project.edit(MODULE, './pets.feature', './cats.feature');
  const said = await project.addDocument(shop());
  expect(said).toContain('Left out, because you have deleted the method:\n  GET /pets/{id}: getPet');
  expect(project.read('src/shop/cats.feature.ts')).toContain('getPet');
  expect(project.read(MODULE)).toContain('./cats.feature');
});
