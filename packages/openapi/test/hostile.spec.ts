/** Nothing in a document becomes code: what is written for hostile texts compiles, runs, and does nothing but hold them as texts. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { answering, documentOf, OpenApiProject, removeProjects } from './openapi-project';

jest.setTimeout(300_000);
afterEach(removeProjects);

/** Each tries to end a text, a comment or a template, and to run something. */
const ATTACKS = [
  `'); globalThis.pwned = 1; ('`,
  `"); globalThis.pwned = 1; ("`,
  '`; globalThis.pwned = 1; `',
  '${globalThis.pwned = 1}',
  '*/ globalThis.pwned = 1; /*',
  '\n globalThis.pwned = 1; \n',
  '\u2028globalThis.pwned = 1;\u2028',
  "\\'; globalThis.pwned = 1; //",
  '\u202e\u2066 globalThis.pwned = 1; \u2069',
  '__proto__',
  'constructor',
  "'}, globalThis.pwned = 1, {'",
  '</script><!--',
  '}\n}\nglobalThis.pwned = 1;\nclass X {',
  'TODO',
  '\ud800',
  '',
  ' ',
  'await',
  'Promise',
  'IsString',
];
const hostile = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);

const schema = fc.oneof(
  fc.record({
    type: fc.constant('string'),
    description: hostile,
    enum: fc.uniqueArray(hostile, { minLength: 1, maxLength: 3 }),
    default: hostile,
  }),
  fc.record({ type: fc.constant('string'), description: hostile, pattern: hostile, format: hostile, title: hostile }),
  fc.record({ const: hostile, description: hostile }),
  fc.record({
    type: fc.constant('object'),
    description: hostile,
    properties: fc.dictionary(hostile, fc.record({ type: fc.constant('string'), description: hostile }), {
      maxKeys: 3,
    }),
  }),
  fc.record({ type: hostile, description: hostile }),
);
const operation = fc
  .record({
    path: hostile,
    id: hostile,
    tag: hostile,
    summary: hostile,
    description: hostile,
    names: fc.uniqueArray(hostile, { maxLength: 4 }),
    schema,
    body: schema,
    mediaType: fc.oneof(
      fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'),
      hostile,
    ),
  })
  .map(({ path, id, tag, summary, description, names, schema: given, body, mediaType }) => ({
    path: `/${path}/{${names[0] ?? 'x'}}`,
    item: {
      post: answering(given, {
        ...{ operationId: id, tags: [tag], summary, description },
        parameters: names.map((name, index) => ({
          name,
          description,
          in: ['path', 'query', 'header', 'cookie'][index],
          schema: given,
        })),
        requestBody: { required: true, content: { [mediaType]: { schema: body } } },
      }),
    },
  }));

/** Starts the compiled server, which checks every definition, and says whether anything ran. */
const START = `
const { MemoryTransport } = require('@sigil-mcp/core');
const { server } = require('./out/server.js');
(async () => {
  const transport = new MemoryTransport();
  await server.listen(transport);
  process.stdout.write(JSON.stringify({ pwned: globalThis.pwned ?? null }));
  await server.close();
})().catch((error) => { process.stdout.write(JSON.stringify({ error: String(error.message) })); process.exit(1); });
`;

it('compiles and runs for any text in any place, and runs nothing of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 30 }),
      hostile,
      hostile,
      async (operations, title, scheme) => {
        const project = new OpenApiProject({
          'package.json': '{ "name": "x" }',
          'tsconfig.json': JSON.stringify({
            compilerOptions: {
              target: 'es2022',
              module: 'node20',
              types: ['node'],
              strict: true,
              isolatedModules: true,
              experimentalDecorators: true,
              emitDecoratorMetadata: true,
              skipLibCheck: true,
              rootDir: 'src',
              outDir: 'out',
            },
            include: ['src'],
          }),
        });
        project.edit('src/server.ts', "version: '1.0.0'", "version: '1.0.0', strict: true, logger: false");
        const paths = Object.fromEntries(operations.map(({ path, item }, index) => [`/${index}${path}`, item]));
        const securitySchemes = { [scheme]: { type: 'apiKey', in: 'query', name: scheme } };
        const info = { title, version: title, description: title };
        const components = { securitySchemes };
        const more = {
          info,
          components,
          tags: [{ name: title, description: title }],
          servers: [{ url: `https://x.example/${encodeURIComponent('a')}` }],
        };
        const text = documentOf(paths, more);
        await project.addDocument(text, '--all');
        expect(project.compile()).toBe('');
        writeFileSync(join(project.folder, 'start.cjs'), START);
        const { stdout, stderr } = spawnSync(process.execPath, ['start.cjs'], {
          cwd: project.folder,
          encoding: 'utf8',
        });
        expect({ stdout, stderr }).toEqual({ stdout: '{"pwned":null}', stderr: '' });
      },
    ),
    // A run takes seconds: the first failure is shown as it is.
    { numRuns: 2, endOnFailure: true },
  );
});
