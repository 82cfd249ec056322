/** `sigil add openapi` with a small document: what is written compiles, is tidy, passes its own tests, and asks the API as the document says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLINT, JEST, NATIVE_TSC, OpenApiProject, PRETTIER } from './openapi-project';

jest.setTimeout(300_000);

const document = join(__dirname, 'fixtures', 'bakery-api', 'openapi.yaml');
const done = { status: 0, output: expect.any(String) as string };

/** What the API is asked for, in each style of the document. */
const REQUESTS = `
import { createServer } from '@sigil-mcp/core';
import { eachRevision } from '@sigil-mcp/testing';
import { BakerySettings } from '../src/bakery/bakery-settings';
import { bakeryModule } from '../src/bakery/bakery.module';
import { FakeApi } from './fake-bakery-api';

const order = { id: 7, title: 'Bread', customer: { name: 'Ada', email: 'a@example.com', phone: '1' }, self_url: 'x' };

/** Older revisions refuse arguments with an error of the protocol. */
const refusal = async (call: Promise<unknown>): Promise<string> => JSON.stringify(await call.catch(String));

eachRevision('asks in each style, and answers with what matters', async ({ connect }) => {
  const api = await FakeApi.open();
  const settings = BakerySettings.read({ BAKERY_URL: api.url + '/v1', BAKERY_API_KEY: 'secret', BAKERY_USERNAME: 'ada' });
  const server = createServer({ name: 'x', version: '1', strict: true, logger: false, modules: [bakeryModule(settings)] });
  const client = await connect(server);
  try {
    api.answer(200, [order]);
    const found = await client.callTool('listOrders', {
      status: ['open', 'baked'],
      ids: [1, 2],
      spaced: ['a', 'b c'],
      piped: ['a', 'b'],
      filter: { city: 'Oslo & Rome' },
      where: { a: 1 },
      pageSize: 5,
      session: 'x y',
      xShop: 'main',
    });
    const query = 'status=open&status=baked&per_page=20&ids=1,2&spaced=a%20b%20c&piped=a%7Cb&filter%5Bcity%5D=Oslo%20%26%20Rome&where=%7B%22a%22%3A1%7D&page%5Bsize%5D=5';
    expect(api.asked.at(-1)).toMatchObject({ method: 'GET', url: '/v1/orders?' + query, headers: { 'x-shop': 'main', cookie: 'session=x%20y', 'x-api-key': 'secret' } });
    expect(found).toHaveStructured({ items: [{ id: 7, title: 'Bread', customer: { name: 'Ada' } }] });
    expect(found).not.toHaveText(/phone|self_url/);

    api.answer(201, order);
    await client.callTool('createOrder', { title: 'Bread', customer: { name: 'Ada', email: 'a@example.com' }, n1: 2 });
    expect(JSON.parse(api.asked.at(-1)?.body ?? '')).toEqual({ title: 'Bread', customer: { name: 'Ada', email: 'a@example.com' }, '+1': 2 });

    api.respond = (_request, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF');
    await client.callTool('getOrderLabel', { id: 1, style: ['a', 'b'] });
    expect(api.asked.at(-1)?.url).toBe('/v1/orders/1/label/.a,b');

    api.answer(204, undefined);
    expect(await client.callTool('createOrderPhoto', { id: 1, file: Buffer.from('picture').toString('base64'), fileName: 'bread.jpg', title: 'T' })).toHaveText('Done.');
    expect(api.asked.at(-1)?.headers['content-type']).toMatch(/^multipart\\/form-data; boundary=/);
    expect(api.asked.at(-1)?.body).toMatch(/name="file"; filename="bread.jpg"[^]*image\\/jpeg[^]*picture[^]*name="title"[^]*T/);

    api.answer(200, 'paid');
    expect(await client.callTool('createPayment', { amount: 5, method: { kind: 'card', number: '1234' }, metadata: { a: 'b' } })).toHaveText('paid');
    expect(api.asked.at(-1)?.body).toBe('amount=5&method%5Bkind%5D=card&method%5Bnumber%5D=1234&metadata%5Ba%5D=b');
    expect(api.asked.at(-1)?.headers).toMatchObject({ authorization: 'Basic ' + Buffer.from('ada:').toString('base64'), 'x-api-key': 'secret' });
    expect(await refusal(client.callTool('createPayment', { amount: 0 }))).toMatch(/amount/);
    expect(await refusal(client.callTool('createPayment', { amount: 5, method: { kind: 'other', number: '1234' } }))).toMatch(/method/);

    api.answer(200, { name: 'All', children: [{ name: 'Bread', parent: null }] });
    expect(await client.callTool('listCategories', {})).toHaveStructured({ name: 'All', children: [{ name: 'Bread' }] });
    expect(api.asked.at(-1)?.headers).not.toHaveProperty('x-api-key');
    expect(api.asked.at(-1)?.headers).not.toHaveProperty('authorization');

    api.respond = (_request, response) => void response.writeHead(303, { location: 'https://elsewhere.example/' }).end();
    expect(await client.callTool('replaceAllOfTheCategoriesOfTheBakeryWithAnother', { name: 'x' })).toHaveText('https://elsewhere.example/');

    const { tools } = await client.listTools();
    process.stdout.write('bytes of tools: ' + Buffer.byteLength(JSON.stringify(tools)) + '\\n');
  } finally {
    await api.close();
  }
});
`;

/** The texts of the project of CommonJS. */
let texts: Readonly<Record<string, string>>;

describe.each([
  ['CommonJS', []],
  ['ES modules', ['--esm']],
])('in a project of %s', (kind, options) => {
  let project: OpenApiProject;
  let report = '';
  beforeAll(async () => {
    project = await OpenApiProject.make(...options);
    const { status, output } = await project.sigil('add', 'openapi', document);
    report = output;
    expect({ status, output }).toEqual(done);
  });
  afterAll(() => project.remove());

  it('what is written compiles, and passes the linter and the formatter of a new project', () => {
    // `sigil inspect` compiles it with the compiler of the project.
    expect(project.tool(NATIVE_TSC, '-p', 'test')).toEqual({ status: 0, output: '' });
    expect(project.tool(PRETTIER, '--check', '.')).toEqual(done);
    if (kind === 'CommonJS') {
      texts = project.texts('bakery');
      expect(project.tool(ESLINT, '.', '--max-warnings', '0')).toEqual({ status: 0, output: '' });
    } else {
      // For the linter they are the same, but for the ends of imports.
      const withoutEnds = (text: string): string => text.replace(/(from '\.[^']*)\.js'/g, "$1'");
      const own = Object.entries(project.texts('bakery')).map(([path, text]) => [path, withoutEnds(text)]);
      expect(Object.fromEntries(own)).toEqual(texts);
    }
  });

  it('its tests pass, and requests are those of the document', () => {
    const text = options.length > 0 ? REQUESTS.replace(/(from '\.[^']*)'/g, "$1.js'") : REQUESTS;
    project.write('test/requests.spec.ts', text);
    const ran = project.tool(JEST);
    expect(ran.output).toMatch(/Tests: +\d+ passed, \d+ total/);
    expect(ran).toEqual(done);
    // What the report says the tools cost is about what is listed.
    const listed = [...ran.output.matchAll(/bytes of tools: (\d+)/g)].map(([, bytes]) => Number(bytes));
    const [, tokens = '0'] = /([\d,]+) {2}the tools as they are written/.exec(report) ?? [];
    expect(Math.abs(Number(tokens.replace(',', '')) / (Math.max(...listed) / 4) - 1)).toBeLessThan(0.25);
  });

  it('sigil inspect finds nothing to fix, and sigil doctor only words that the document lacks', async () => {
    const { status, output } = await project.sigil('inspect');
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('listOrders') as string });
    expect(output).not.toMatch(/warning|SIGIL_/i);
    const doctor = (await project.sigil('doctor')).output.split('\n');
    expect(doctor.filter((line) => line.startsWith('✗'))).toEqual(['✗ Definitions are clear and safe']);
    expect(doctor.filter((line) => /no description|little more than its name/.test(line))).not.toEqual([]);
  });

  it('a second run changes nothing', async () => {
    const lock = join(project.folder, 'src', 'bakery', 'openapi.lock.json');
    const before = readFileSync(lock, 'utf8');
    expect(await project.sigil('add', 'openapi')).toEqual({
      status: 0,
      output: expect.stringContaining('Nothing has changed.') as string,
    });
    expect(readFileSync(lock, 'utf8')).toBe(before);
    expect(await project.sigil('add', 'openapi', '--check')).toEqual({
      status: 0,
      output: 'The tools are those of the document.\n',
    });
  });
});
