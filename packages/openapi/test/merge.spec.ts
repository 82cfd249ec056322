/** A second run: what nobody has touched becomes new, what a person has changed stays, and what differs is said. */
import { join } from 'node:path';
import compiler from 'typescript';
import { CodeReader } from '../src/merge/code-units';
import { mergeFiles, type FreshFile } from '../src/merge/merge-files';
import { answering, documentOf, OpenApiProject, operation, removeProjects } from './openapi-project';

afterEach(removeProjects);

const pet = (more: object = {}): object => ({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, ...more },
});
const parameter = (name: string): object => ({ name, in: 'query', schema: { type: 'string' } });
const shop = (paths: object = {}, more: object = {}): string =>
  documentOf(
    {
      '/pets': {
        get: answering(
          { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
          { operationId: 'listPets', summary: 'Lists pets', parameters: [parameter('kind')] },
        ),
      },
      '/pets/{id}': {
        get: answering({ $ref: '#/components/schemas/Pet' }, { operationId: 'getPet', summary: 'Gets a pet' }),
      },
      ...paths,
    },
    { components: { schemas: { Pet: pet() } }, ...more },
  );
const FEATURE = 'src/shop/pets.feature.ts';
const contents = (project: OpenApiProject): Record<string, string> =>
  Object.fromEntries(project.files().map((path) => [path, project.read(path)]));

async function first(): Promise<OpenApiProject> {
  const project = new OpenApiProject();
  await project.addDocument(shop());
  return project;
}

it('changes nothing if nothing has changed, also without arguments', async () => {
  const project = await first();
  const before = contents(project);
  expect(await project.addDocument(shop())).toContain('Nothing has changed.');
  expect(await project.add()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Nothing has changed.') as string,
  });
  expect(contents(project)).toEqual(before);
  expect(await project.add('--check')).toEqual({
    status: 0,
    stderr: '',
    stdout: 'The tools are those of the document.\n',
  });
});

it('updates what nobody has touched, and says what has changed', async () => {
  const project = await first();
  const changed = shop({
    '/pets': {
      get: answering(
        { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        { operationId: 'listPets', summary: 'Lists all pets', parameters: [parameter('colour')] },
      ),
    },
  });
  const said = await project.addDocument(changed);
  expect(said).toContain('GET /pets: new: query colour; gone: query kind; changed: the description');
  expect(project.read(FEATURE)).toContain("'Lists all pets.'");
  expect(project.classText('ListPetsInput')).toBe('@IsOptional() @IsString() colour?: string;');
});

it('sees a change in a component that an operation only refers to', async () => {
  const project = await first();
  const said = await project.addDocument(
    shop({}, { components: { schemas: { Pet: pet({ age: { type: 'integer' } }) } } }),
  );
  expect(said).toContain('GET /pets: changed: the answer');
  expect(said).toContain('GET /pets/{id}: changed: the answer');
  expect(project.classText('Pet')).toContain('age?: number;');
});

it('announces no argument for a new member that only the API writes, and no answer for one that only callers send', async () => {
  const project = new OpenApiProject();
  const place = (more: object, inside: object): string => {
    const schema = {
      type: 'object',
      required: ['name', ...Object.keys(more)],
      properties: {
        name: { type: 'string' },
        at: { type: 'object', properties: { x: { type: 'string' }, ...inside } },
        ...more,
      },
    };
    const ref = { $ref: '#/components/schemas/Place' };
    const content = { 'application/json': { schema: ref } };
    const post = answering(ref, { operationId: 'addPlace', requestBody: { required: true, content } });
    return documentOf({ '/places': { post } }, { components: { schemas: { Place: schema } } });
  };
  await project.addDocument(place({}, {}));
  const read = { type: 'integer', readOnly: true };
  const write = { type: 'string', writeOnly: true };
  const changesOf = async (text: string): Promise<string | undefined> =>
    /POST \/places: (.*)/.exec(await project.addDocument(text))?.[1];
  expect(await changesOf(place({ capacity: read }, { y: read }))).toBe('changed: the answer');
  expect(await changesOf(place({ capacity: read, pin: write }, { y: read, z: write }))).toBe(
    'new: body pin; changed: body; changed: body at',
  );
});

it('keeps a method that was edited, updates the others, and points to a conflict', async () => {
  const project = await first();
  project.edit(FEATURE, "'Gets a pet.'", "'My words about a pet.'");
  const texts = shop({
    '/pets/{id}': {
      get: answering({ $ref: '#/components/schemas/Pet' }, { operationId: 'getPet', summary: 'Fetches a pet' }),
    },
    '/pets': {
      get: answering(
        { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        { operationId: 'listPets', summary: 'Lists every pet', parameters: [parameter('kind')] },
      ),
    },
  });
  const said = await project.addDocument(texts);
  expect(said).toContain(
    `Your changes stay:\n  PetsFeature.getPet (${FEATURE}): look at it, since the document says something else now`,
  );
  expect(project.read(FEATURE)).toContain("'My words about a pet.'");
  expect(project.read(FEATURE)).toContain("'Lists every pet.'");
  const again = await project.addDocument(texts);
  expect(again).toContain(`PetsFeature.getPet (${FEATURE})`);
  expect(again).not.toContain('look at it');
});

it('takes the layout of code for no change', async () => {
  const project = await first();
  project.write(
    FEATURE,
    project
      .read(FEATURE)
      .replaceAll("'", '"')
      .replace(/\n {2}/g, '\n\t')
      .replace(/\{ output/g, '{\n\n output'),
  );
  const said = await project.addDocument(
    shop({
      '/pets/{id}': {
        get: answering({ $ref: '#/components/schemas/Pet' }, { operationId: 'getPet', summary: 'Fetches a pet' }),
      },
    }),
  );
  expect(said).not.toContain('Your changes stay');
  expect(project.read(FEATURE)).toContain('Fetches a pet.');
});

it('keeps what a person has added, with what it refers to', async () => {
  const project = await first();
  const own = '\n  myHelper(pet: Pet): string {\n    return pet.name;\n  }\n}\n';
  project.edit(FEATURE, /\n\}\n$/, own);
  const said = await project.addDocument(documentOf({ '/pets': { delete: operation({ operationId: 'removePets' }) } }));
  expect(said).toContain('Gone from the document:\n  GET /pets: listPets\n  GET /pets/{id}: getPet');
  const text = project.read(FEATURE);
  expect(text).toContain('myHelper(pet: Pet): string');
  expect(text).toMatch(/removePets\(/);
  expect(text).not.toMatch(/getPet\(|ListPetsResult/);
  expect(text).toMatch(/import \{ Pet \} from '\.\/models'/);
  expect(project.read('src/shop/models.ts')).toContain('export class Pet');
});

it('parses each text once', () => {
  const project = new OpenApiProject({ 'a.ts': 'export class A {}\n// mine\n', 'b.ts': 'export const b = 1;\n' });
  const parsed: string[] = [];
  const createSourceFile: typeof compiler.createSourceFile = (name, text, ...more) => {
    parsed.push(text);
    return compiler.createSourceFile(name, text, ...more);
  };
  const code = new CodeReader({ ...compiler, createSourceFile });
  const file = (shown: string, text: string): FreshFile => ({ path: join(project.folder, shown), shown, text });
  const merged = mergeFiles(
    code,
    [file('a.ts', 'import { b } from "./b";\nexport class A { b = b; }\n'), file('b.ts', 'export const b = 2;\n')],
    { 'a.ts': { A: code.unitsOf('export class A {}')[0]?.digest ?? '' } },
  );
  expect(merged[0]?.text).toContain('class A { b = b; }\n// mine');
  expect(parsed.length).toBeGreaterThan(3);
  expect(parsed).toEqual([...new Set(parsed)]);
});

it('does not bring back a method that was deleted', async () => {
  const project = await first();
  project.edit(FEATURE, / {2}@Tool\('Gets a pet\.'[^]*?\n {2}\}\n/, '');
  const said = await project.addDocument(shop());
  expect(said).toContain('Left out, because you have deleted the method:\n  GET /pets/{id}: getPet');
  expect(project.read(FEATURE)).not.toContain('getPet(');
  expect(project.read('test/../src/shop/pets.dto.ts')).not.toContain('GetPetInput');
  expect(await project.addDocument(shop())).toContain('GET /pets/{id}: getPet');
  expect(await project.add('--check')).toMatchObject({ status: 0 });
});

it('adds to what was chosen before', async () => {
  const project = new OpenApiProject();
  await project.addDocument(shop(), '--only', 'listPets');
  expect(project.read(FEATURE)).not.toContain('getPet(');
  await project.addDocument(shop(), '--only', 'getPet');
  expect(project.read(FEATURE)).toMatch(/listPets\([^]*getPet\(/);
});

it('fails with --check if an operation has changed, has gone or is new, and writes nothing', async () => {
  const project = await first();
  const before = contents(project);
  const changed = documentOf({
    '/pets': { get: operation({ operationId: 'listPets' }), post: operation({ operationId: 'addPet' }) },
  });
  project.write('api.json', changed);
  const { status, stdout, stderr } = await project.add('--check');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('The document has changed: 3 operations.') as string,
  });
  expect(stdout).toContain('  GET /pets: gone: query kind');
  expect(stdout).toContain('  GET /pets/{id}: gone\n  POST /pets: new\n');
  expect(contents(project)).toEqual(before);
});

it('shows the change with --dry-run, and writes nothing', async () => {
  const project = new OpenApiProject({ 'api.json': shop() });
  const { status, stdout } = await project.add('api.json', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('src/shop/pets.feature.ts (new)');
  expect(stdout).toContain('+   modules: [shopModule()]'.slice(0, 3));
  expect(stdout).toContain('Nothing was written: --dry-run.');
  expect(project.files()).toEqual(['src/server.ts']);
});

it('keeps names of tools and classes, whatever comes before them later', async () => {
  const project = await first();
  const text = shop({
    '/a-pets': { get: answering({ $ref: '#/components/schemas/Pet' }, { operationId: 'listPets' }) },
  });
  const reordered = JSON.parse(text) as { paths: Record<string, unknown> };
  reordered.paths = Object.fromEntries(Object.entries(reordered.paths).reverse());
  await project.addDocument(JSON.stringify(reordered));
  expect(project.read(FEATURE)).toMatch(/pathOf`\/pets`/);
  expect(project.read(FEATURE)).toMatch(/async listPets\([^]*?pathOf`\/pets`/);
});

it('refuses a lock that it cannot read, and a server file that does not parse', async () => {
  const project = await first();
  const lock = project.read('src/shop/openapi.lock.json');
  project.write('src/shop/openapi.lock.json', '{}');
  expect(await project.add('api.json')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('SIGIL_OPENAPI_LOCK') as string,
  });
  project.write('src/shop/openapi.lock.json', lock);
  project.edit(FEATURE, 'export class', 'export clas');
  expect(await project.add('api.json')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('SIGIL_ADD_SYNTAX') as string,
  });
});
