/** What the jest preset closes, and when: a project with the preset, its tests run by jest itself. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
let project: string;

const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

beforeAll(() => {
  // Within the repository, so that it finds the packages.
  mkdirSync(join(root, '.sigil'), { recursive: true });
  project = mkdtempSync(join(root, '.sigil', 'closes-'));
  write('package.json', '{ "name": "closes", "version": "1.0.0", "private": true }\n');
  write('jest.config.js', "module.exports = { preset: '@sigil-mcp/testing' };\n");
  write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  write('server.ts', SERVER);
  write('environment.js', ENVIRONMENT);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'node20',
  types: ['node', 'jest'],
  strict: true,
  skipLibCheck: true,
  isolatedModules: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};

const SERVER = `import { createServer, Feature, Tool } from '@sigil-mcp/core';

@Feature()
class Greetings {
  @Tool('Says hello')
  hello(): string {
    return 'Hello.';
  }
}

export const server = createServer({ name: 'greetings', version: '1.0.0', features: [Greetings], logger: false });
`;

/** An environment that listens to the events of the runner itself. */
const ENVIRONMENT = `const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  async handleTestEvent({ name }) {
    if (name === 'test_done') this.global.ended = (this.global.ended ?? 0) + 1;
  }
};
`;

/** Runs a file of tests, and returns what jest says and its exit code. */
function runTests(text: string, ...args: string[]): { readonly said: string; readonly status: number | null } {
  const before =
    "import { connect, issuer, type TestClient } from '@sigil-mcp/testing';\nimport { server } from './server';\n";
  write('closes.spec.ts', before + text);
  const jest = join(root, 'node_modules', '.bin', 'jest');
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stderr, status } = spawnSync(jest, args, { cwd: project, encoding: 'utf8', timeout: 90_000, env });
  return { said: stderr, status };
}

const passes = (count: number) => ({
  said: expect.stringContaining(`Tests:       ${count} passed, ${count} total`),
  status: 0,
});

describe('with the preset', () => {
  it('the afterEach and afterAll of a file still use what is open, and the next test finds it closed', () => {
    const ran = runTests(`
let client: TestClient;
let ofFile: TestClient;
const earlier: TestClient[] = [];
beforeAll(async () => void (ofFile = await connect(server)));
beforeEach(async () => {
  for (const one of earlier) await expect(one.callTool('hello')).rejects.toThrow('The client was closed.');
  client = await connect(server);
});
afterEach(async () => {
  expect(await client.callTool('hello')).toHaveText('Hello.');
  earlier.push(client);
});
afterAll(async () => {
  expect(await ofFile.callTool('hello')).toHaveText('Hello.');
});
it.each([1, 2])('says hello (%s)', async () => {
  expect(await client.callTool('hello')).toHaveText('Hello.');
});
describe('in a group', () => {
  afterEach(async () => expect(await client.callTool('hello')).toHaveText('Hello.'));
  it('says hello, too', async () => expect(await ofFile.callTool('hello')).toHaveText('Hello.'));
});
`);
    expect(ran).toEqual(passes(3));
  });

  it('what is open is closed in any test environment, beside the events that it listens to itself', () => {
    const ran = runTests(
      `
let url: string;
it('leaves an issuer open', async () => {
  ({ url } = await issuer());
  expect((await fetch(url + '/.well-known/oauth-authorization-server')).status).toBe(200);
});
it('finds it closed', async () => {
  expect((globalThis as { ended?: number }).ended).toBe(1);
  await expect(fetch(url)).rejects.toThrow();
});
`,
      '--env=./environment.js',
    );
    expect(ran).toEqual(passes(2));
  });

  it('a test whose client does not close fails, and says why', () => {
    const ran = runTests(
      `
it('never lets go', async () => {
  const client = await connect(server);
  jest.spyOn(client, 'close').mockImplementation(() => new Promise(() => undefined));
});
it('is not held up', () => undefined);
`,
      '--testTimeout=500',
    );
    expect(ran.said).toContain('What the test opened was not closed in 500 ms.');
    expect(ran.said).toContain('Tests:       1 failed, 1 passed, 2 total');
  });
});
