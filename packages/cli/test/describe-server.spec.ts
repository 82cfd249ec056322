/** What `sigil inspect` prints of a server whose tools share their classes. */
import { describeServer } from '../src/inspect/describe-server';
import type { Survey } from '../src/inspect/survey';
import { stylesFor } from '../src/terminal/styles';

const author = {
  type: 'object',
  properties: { name: { type: 'string' }, born: { type: 'integer' } },
  required: ['name'],
};
const book = {
  type: 'object' as const,
  properties: { title: { type: 'string' }, authors: { type: 'array', items: author }, editor: author },
  required: ['title', 'authors'],
};
const number = { type: 'object' as const, properties: { id: { type: 'integer' } }, required: ['id'] };

const printed = (tools: Survey['tools'], width = 80): string => {
  const nothing = {
    resources: [],
    resourceTemplates: [],
    prompts: [],
    suggestions: {},
    instructions: undefined,
    capabilities: {},
  };
  const revisions = { spoken: '2026-07-28', offered: [], handshake: [] };
  const survey = { server: { name: 'library', version: '1' }, revisions, tools, ...nothing };
  const lines = describeServer(survey, { width, styles: stylesFor({}, {}) });
  if (tools.length === 0) return lines.slice(3).join('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('Tools')) + 1).join('\n');
};

it('shows defaults of arguments, and none of results', () => {
  const status = { type: 'string', default: 'open' };
  const inputSchema = { type: 'object' as const, properties: { status } };
  const outputSchema = { type: 'object' as const, properties: { status, id: number } };
  expect(printed([{ name: 'add', inputSchema, outputSchema }])).toMatch(
    /takes\n +status +string += "open"\n +returns\n +status +string +optional\n/,
  );
});

it('shows each object once, and refers to that place where it occurs again', () => {
  expect(
    printed([
      { name: 'addBook', inputSchema: book, outputSchema: book },
      { name: 'getBook', inputSchema: number, outputSchema: book },
      {
        name: 'listBooks',
        inputSchema: { type: 'object' },
        outputSchema: {
          type: 'object',
          properties: { books: { type: 'array', description: 'In order', items: book } },
        },
      },
      { name: 'dropBook', inputSchema: number },
    ]),
  ).toBe(`  addBook
    takes
      title           string    required
      authors         object[]  required
      authors[].name  string    required
      authors[].born  integer   optional
      editor          object    optional  the same as authors[] of what addBook
                                          takes
    returns the same as what addBook takes

  getBook
    takes
      id  integer  required
    returns the same as what addBook takes

  listBooks
    returns
      books  object[]  optional  In order; each the same as what addBook takes

  dropBook
    takes
      id  integer  required`);
});

it('tells objects apart that differ in one word', () => {
  const other = { ...book, required: ['title'] };
  const text = printed([
    { name: 'addBook', inputSchema: book },
    { name: 'changeBook', inputSchema: other },
  ]);
  expect(text).toContain(
    '  changeBook\n    takes\n      title    string    required\n      authors  object[]  optional  each the same',
  );
});

it('marks descriptions that are still to be written', () => {
  const inputSchema = {
    type: 'object' as const,
    properties: { text: { type: 'string', description: 'TODO: say it' } },
  };
  const lines = printed([{ name: 'add', description: 'TODO: say what add does', inputSchema }]);
  expect(lines).toMatch(/^ +! TODO: say what add does$/m);
  expect(lines).toMatch(/text +string +optional +! TODO: say it$/m);
});

it('says how a server comes to have tools that lists nothing', () => {
  expect(printed([])).toBe(
    `
! It lists no tools, resources or prompts, or this caller may not see them. Name
the classes: createServer({ features: [NotesFeature] }). sigil add tool findNote
writes one.`,
  );
});

it('shows the view of a tool', () => {
  const meta = { ui: { resourceUri: 'ui://books/shelf' } };
  expect(printed([{ name: 'shelf', inputSchema: { type: 'object' }, _meta: meta }])).toBe(
    '  shelf\n    shows ui://books/shelf',
  );
});

it('shows the examples of an entry, and nothing of what other servers have there', () => {
  const inputSchema = { type: 'object' as const, properties: { title: { type: 'string' } } };
  const examples = [{ args: { title: 'Emma' }, says: 'Finds a novel.' }, 7];
  expect(printed([{ name: 'find', inputSchema, _meta: { 'dev.sigil/examples': examples } }])).toMatch(
    /for example\n +\{"title":"Emma"\} +Finds a novel\.$/,
  );
  expect(printed([{ name: 'find', inputSchema, _meta: { 'dev.sigil/examples': 7 } }])).not.toContain('for example');
});
