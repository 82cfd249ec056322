/** Tools, prompts and templates whose schemas come from other libraries, on every revision. */
import { Feature, McpContext, Prompt, Resource, Tool, createServer, type Infer, type Server } from '@sigil-mcp/core';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { EVERYTHING } from './asking';
import { eachRevision } from './checked';

const newest = 'https://json-schema.org/draft/2020-12/schema';

const Trip = z.strictObject({
  city: z.string().min(2).meta({ description: 'Where to', 'x-mcp-header': 'City' }),
  day: z.iso.date().transform((text) => new Date(text)),
  nights: z.int().min(1).max(14).default(3),
});
const Price = z.object({ total: z.number(), until: z.date().transform(String).pipe(z.string()) });
const Route = type({ from: 'string', 'stops?': 'string[]', '+': 'reject' });
const Word = toStandardJsonSchema(v.strictObject({ word: v.pipe(v.string(), v.maxLength(5)) }));
const Page = {
  type: 'object',
  properties: { size: { type: 'integer', default: 20 } },
  additionalProperties: false,
} as const;
const Month = z.object({ month: z.enum(['May', 'June']).describe('Which'), days: z.int().optional() });
const Room = z.object({ number: z.int(), floor: z.enum(['ground', 'first']) });
const Confirm = z.object({
  name: z.string().max(9),
  size: z.enum(['S', 'L']).default('S'),
  mail: z.email().optional(),
});

@Feature()
class Travel {
  readonly seen: unknown[] = [];

  @Tool('Prices a trip', { input: Trip, output: Price })
  price(trip: Infer<typeof Trip>): { total: number; until: Date } {
    this.seen.push(trip);
    return { total: trip.nights * 100, until: trip.day };
  }
  @Tool('Finds a route', { input: Route, output: type('string[]') })
  route({ from, stops = [] }: Infer<typeof Route>): string[] {
    return [from, ...stops];
  }
  @Tool('Says a word', { input: Word })
  word({ word }: Infer<typeof Word>): string {
    return word;
  }
  @Tool('Turns a page', { input: Page })
  page({ size }: { size: number }): number {
    return size;
  }
  @Tool('Returns what it must not', { output: Price })
  bad(): { total: number; until: Date } {
    return { total: 'much' as unknown as number, until: new Date() };
  }
  @Tool('Asks', { asks: [Confirm] })
  async ask(context: McpContext): Promise<string> {
    const answer = await context.elicit(Confirm, 'Sure?');
    return answer.action === 'accept' ? `${answer.content.name} ${answer.content.size}` : answer.action;
  }
  @Prompt('Plans a month', { input: Month })
  plan({ month, days = 30 }: Infer<typeof Month>): string {
    return `${month} ${days + 1}`;
  }
  @Resource('hotel://{floor}/{number}', { input: Room })
  room({ number, floor }: Infer<typeof Room>): string {
    return `${floor} ${number + 1}`;
  }
}

const serverOf = (): Server => createServer({ name: 'travel', version: '1.0.0', features: [Travel], logger: false });

describe('schemas of other libraries', () => {
  eachRevision('are listed as they write themselves [TOOL-006] [BASE-038]', async ({ connect, revision }) => {
    const client = await connect(serverOf());
    const { tools } = (await client.listTools()) as unknown as {
      tools: { inputSchema: object; outputSchema?: object }[];
    };
    const [price, route, word, page] = tools;
    const { properties, ...rest } = price?.inputSchema as { properties: { city: object } };
    expect(rest).toEqual({ $schema: newest, type: 'object', required: ['city', 'day'], additionalProperties: false });
    expect(properties).toMatchObject({
      city: { type: 'string', minLength: 2, description: 'Where to', 'x-mcp-header': 'City' },
      day: { type: 'string', format: 'date' },
      nights: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
    });
    expect(route?.inputSchema).toEqual(Route['~standard'].jsonSchema.input({ target: 'draft-2020-12' }));
    expect(word?.inputSchema).toEqual(Word['~standard'].jsonSchema.input({ target: 'draft-2020-12' }));
    expect(page?.inputSchema).toEqual(Page);
    if (revision < '2025-06-18') expect(price).not.toHaveProperty('outputSchema');
    else expect(price?.outputSchema).toMatchObject({ type: 'object', properties: { until: { type: 'string' } } });
  });

  eachRevision('validate by themselves, and what they make reaches the handler', async ({ connect, revision }) => {
    const server = serverOf();
    const client = await connect(server);
    const result = await client.callTool('price', { city: 'Oslo', day: '2026-05-01' });
    const content = { total: 300, until: String(new Date('2026-05-01')) };
    expect(JSON.parse((result as unknown as { content: [{ text: string }] }).content[0].text)).toEqual(content);
    if (revision >= '2025-06-18') expect(result).toMatchObject({ structuredContent: content });
    expect(await client.callTool('route', { from: 'Oslo', stops: ['Bergen'] })).toMatchObject({
      content: [{ text: '["Oslo","Bergen"]' }],
    });
    expect(await client.callTool('page', {})).toMatchObject({ content: [{ text: '20' }] });
  });

  eachRevision('say what is wrong in our words [TOOL-017]', async ({ connect, revision }) => {
    const client = await connect(serverOf());
    const refusalOf = async (name: string, args: object): Promise<string> => {
      const call = client.callTool(name, args as Record<string, never>);
      if (revision < '2025-11-25')
        return call.then(
          () => 'accepted',
          ({ message }: Error) => message,
        );
      return JSON.stringify(await call);
    };
    expect(await refusalOf('price', { city: 'O', day: '2026-05-01', nights: 20, pets: 1 })).toMatch(
      /city: must have at least 2 characters; nights: must be at most 14; pets: is not a known property/,
    );
    expect(await refusalOf('route', {})).toContain('from: is required');
    expect(await refusalOf('word', { word: 'Mississippi' })).toContain('word: must have at most 5 characters');
    expect(await refusalOf('page', { size: 'large' })).toContain('size: must be integer');
    expect(await refusalOf('bad', {})).not.toContain('much');
  });

  eachRevision('read the arguments of prompts and the variables of templates', async ({ connect }) => {
    const client = await connect(serverOf());
    expect(await client.listPrompts()).toMatchObject({
      prompts: [
        {
          arguments: [
            { name: 'month', description: 'Which', required: true },
            { name: 'days', required: false },
          ],
        },
      ],
    });
    expect(await client.getPrompt('plan', { month: 'May', days: '7' })).toMatchObject({
      messages: [{ content: { text: 'May 8' } }],
    });
    await expect(client.getPrompt('plan', { month: 'July' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('month: must be one of "May", "June"') as string,
    });
    expect(await client.readResource('hotel://first/7')).toMatchObject({ contents: [{ text: 'first 8' }] });
    await expect(client.readResource('hotel://roof/7')).rejects.toMatchObject({ code: expect.any(Number) as number });
    const ref = { type: 'ref/prompt' as const, name: 'plan' };
    expect(await client.request('completion/complete', { ref, argument: { name: 'month', value: 'j' } })).toMatchObject(
      {
        completion: { values: ['June'] },
      },
    );
  });

  eachRevision(
    'ask users, in the words that forms have',
    async ({ connect }) => {
      const asked: unknown[] = [];
      const client = await connect(serverOf(), {
        capabilities: EVERYTHING,
        answers: ({ params }) => {
          asked.push(params);
          return { action: 'accept', content: { name: 'Ada', more: 1 } };
        },
      });
      expect(await client.callTool('ask', {})).toMatchObject({ content: [{ text: 'Ada S' }] });
      expect(asked).toMatchObject([
        {
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string', maxLength: 9 },
              size: { type: 'string', enum: ['S', 'L'] },
              mail: { type: 'string', format: 'email' },
            },
            required: ['name'],
          },
        },
      ]);
    },
    { since: '2025-06-18' },
  );
});
