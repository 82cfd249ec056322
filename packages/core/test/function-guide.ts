/** The server that `docs/functions.md` and `docs/from-zod.md` show; `function-guide.spec.ts` proves what they say of it. */
import { z } from 'zod';
import { ToolFailure, createServer, prompt, resource, tool, type Guard } from '../src';

const notes = new Map([['milk', 'Buy two bottles.']]);

// #region tool
const Note = z.strictObject({ title: z.string().min(1).max(40), text: z.string().default('') });

const takeNote = tool(
  'takeNote',
  { description: 'Keeps a note', input: Note, output: z.object({ count: z.int() }), idempotent: true },
  ({ title, text }) => {
    notes.set(title, text);
    return { count: notes.size };
  },
);

const dropNote = tool(
  'dropNote',
  { description: 'Throws a note away', input: Note.pick({ title: true }), destructive: true },
  async ({ title }, context) => {
    const answer = await context.elicit(z.object({ sure: z.boolean() }), `Throw "${title}" away?`);
    if (answer.action !== 'accept' || !answer.content.sure) throw new ToolFailure('It was kept.');
    return notes.delete(title) ? 'Gone.' : 'There was none.';
  },
);
// #endregion tool

// #region resource
const titles = (typed: string): string[] => [...notes.keys()].filter((title) => title.startsWith(typed));

const note = resource(
  'note://{title}',
  {
    name: 'Note',
    input: Note.pick({ title: true }),
    list: () => titles('').map((title) => ({ variables: { title }, name: title })),
    complete: { title: titles },
  },
  ({ title }) => notes.get(title),
);
// #endregion resource

// #region prompt
const summary = prompt(
  'summary',
  {
    description: 'Sums up the notes',
    input: z.object({ style: z.enum(['short', 'long']), most: z.int().optional() }),
  },
  ({ style, most = 10 }) => `Sum up at most ${most} of my notes, ${style}: ${titles('').join(', ')}`,
);
// #endregion prompt

// #region server
export const server = createServer({
  name: 'notes',
  version: '1.0.0',
  features: [takeNote, dropNote, note, summary],
});
// #endregion server

// #region guards
const officeHours: Guard = { allows: () => new Date().getHours() < 18 };

export const orderPaper = tool(
  'orderPaper',
  { description: 'Orders paper', timeout: 5000, concurrency: 1, guards: [officeHours] },
  () => 'Ordered.',
);
// #endregion guards

// #region short
const Wind = z.object({ speed: z.number().min(0), unit: z.enum(['km/h', 'kn']).default('km/h') });

export const beaufort = tool('beaufort', { description: 'The force of a wind', input: Wind }, ({ speed, unit }) =>
  Math.round(((unit === 'kn' ? 1.852 : 1) * speed * 0.332) ** (2 / 3)),
);
export const sailing = createServer({ name: 'sailing', version: '1.0.0', features: [beaufort] });
// #endregion short
