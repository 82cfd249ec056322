/** The static types of schemas: these lines compile, or are marked as lines that do not. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { IsInt, IsString } from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { McpContext, Prompt, Resource, Tool, type Infer, type InferReturned, type JsonSchemaOf } from '../src';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T => true as T;

class Book {
  @IsString() title!: string;
  @IsInt() pages: number = 100;
}
const Stay = z.object({ day: z.string().transform((text) => new Date(text)), nights: z.number().default(3) });
const Trip = type({ day: 'string.date.parse', 'nights?': 'number' });
const Walk = toStandardJsonSchema(v.object({ length: v.pipe(v.string(), v.transform(Number)) }));
const paged = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    size: { type: 'integer', default: 20 },
    sort: { enum: ['asc', 'desc'] },
    tags: { type: 'array', items: { type: ['string', 'null'] } },
    near: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
    id: { anyOf: [{ type: 'string' }, { const: 7 }] },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }] },
    rates: { type: 'object', additionalProperties: { type: 'number' } },
    rest: {},
  },
  required: ['query'],
} as const;

describe('Infer', () => {
  it('is the instance of a class, and what a schema makes', () => {
    yes<Same<Infer<typeof Book>, Book>>();
    yes<Same<Infer<typeof Stay>, { day: Date; nights: number }>>();
    yes<Same<Infer<typeof Trip>, { day: Date; nights?: number }>>();
    yes<Same<Infer<typeof Walk>, { length: number }>>();
    yes<Same<InferReturned<typeof Book>, Book>>();
    yes<Same<InferReturned<typeof Stay>, { day: string; nights?: number | undefined }>>();
    yes<Same<InferReturned<typeof Walk>, { length: string }>>();
    expect(Stay.parse({ day: '2026-05-01' }).nights).toBe(3);
  });

  it('is what a JSON Schema describes, where it is a literal', () => {
    interface Paged {
      readonly query: string;
      readonly size: number;
      readonly sort?: 'asc' | 'desc';
      readonly tags?: (string | null)[];
      readonly near?: { readonly x: number };
      readonly id?: string | 7;
      readonly pair?: readonly [string, boolean];
      readonly rates?: Record<string, number>;
      readonly rest?: unknown;
    }
    const accept = (value: Infer<typeof paged>): Paged => value;
    const give = (value: Paged): Infer<typeof paged> => value;
    expect(give(accept({ query: 'a', size: 1 }))).toEqual({ query: 'a', size: 1 });
    // @ts-expect-error it is required
    accept({ size: 1 });
    // @ts-expect-error it is none of the values
    accept({ query: 'a', size: 1, sort: 'up' });
  });

  it('is what the author says, or unknown', () => {
    const given = JSON.parse('{"type":"object"}') as JsonSchemaOf<{ x: number }>;
    yes<Same<Infer<typeof given>, { x: number }>>();
    const loose = { type: 'object', properties: { x: { type: 'number' } } };
    yes<Same<Infer<typeof loose>, unknown>>();
    expect(loose.type).toBe('object');
    expect(given).toEqual({ type: 'object' });
  });
});

describe('a decorator', () => {
  it('looks at what its method takes and returns', () => {
    class Travel {
      @Tool('Takes what the schema makes', { input: Stay })
      stay({ day, nights }: Infer<typeof Stay>): string {
        return `${day.getFullYear()} ${nights}`;
      }
      @Tool('May take less, and the context first', { input: Trip })
      trip(context: McpContext, { day }: { day: Date }): string {
        return `${day.getFullYear()} ${String(context.caller.id)}`;
      }
      @Tool('May take the context alone', { input: Stay })
      look(context: McpContext): boolean {
        return context.signal.aborted;
      }
      @Tool('Takes data', { input: paged, output: { type: 'object', properties: { count: { type: 'integer' } } } })
      search({ query, size }: { query: string; size: number }): { count?: number } {
        return { count: query.length + size };
      }
      @Tool('Returns what the schema validates', { output: Stay })
      plan(): { day: string } {
        return { day: '2026-05-01' };
      }
      // @ts-expect-error the schema makes a Date of it
      @Tool('Takes a text', { input: Stay })
      text({ day }: { day: string }): string {
        return day;
      }
      // @ts-expect-error it is no number
      @Tool('Returns a number', { output: Stay })
      wrong(): { day: number } {
        return { day: 1 };
      }
      // @ts-expect-error the class has no such property
      @Tool('Takes another class', { input: Book })
      other({ author }: { author: string }): string {
        return author;
      }
      // @ts-expect-error it is not what the schema describes
      @Tool('Takes other data', { input: paged })
      data({ query }: { query: number }): number {
        return query;
      }
      @Prompt('Takes texts', { input: z.object({ month: z.int() }) })
      month({ month }: { month: number }): string {
        return String(month);
      }
      // @ts-expect-error it is a number
      @Prompt('Takes another text', { input: z.object({ month: z.int() }) })
      monthText({ month }: { month: string }): string {
        return month;
      }
      @Resource('walk://{length}', { input: Walk })
      walk({ length }: { length: number }): string {
        return String(length);
      }
      // @ts-expect-error it is made a number
      @Resource('way://{length}', { input: Walk })
      way({ length }: { length: string }): string {
        return length;
      }
    }
    expect(new Travel().plan()).toEqual({ day: '2026-05-01' });
  });

  it('takes no schema that cannot write JSON Schema', () => {
    // @ts-expect-error zod 3 has no `jsonSchema`
    Tool('An old library', { input: z3.object({ a: z3.string() }) });
    // @ts-expect-error valibot has it behind a converter
    Tool('Without its converter', { input: v.object({ a: v.string() }) });
    expect(Tool('With it', { input: Walk })).toBeInstanceOf(Function);
  });
});
