/** The schemas that `docs/schemas.md` shows; `schema-guide.spec.ts` proves what it says of them. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { Feature, Prompt, Tool, type Infer, type JsonSchemaOf } from '../src';

// #region zod
const Trip = z.object({
  city: z.string().min(2).describe('Where to'),
  day: z.iso.date().transform((text) => new Date(text)),
  nights: z.int().min(1).max(14).default(3),
});
const Price = z.object({ total: z.number(), currency: z.enum(['EUR', 'NOK']) });

@Feature()
export class TravelFeature {
  @Tool('The price of a trip', { input: Trip, output: Price })
  price({ day, nights }: Infer<typeof Trip>): Infer<typeof Price> {
    const isSummer = day.getMonth() > 4 && day.getMonth() < 8;
    return { total: nights * (isSummer ? 120 : 80), currency: 'EUR' };
  }
}
// #endregion zod

// #region others
const Route = type({ from: 'string', 'stops?': 'string[]', '+': 'reject' });
const Word = toStandardJsonSchema(v.strictObject({ word: v.pipe(v.string(), v.maxLength(20)) }));

@Feature()
export class WordsFeature {
  @Tool('Counts the stops of a route', { input: Route })
  count({ stops = [] }: Infer<typeof Route>): number {
    return stops.length;
  }

  @Tool('Says a word backwards', { input: Word })
  reverse({ word }: Infer<typeof Word>): string {
    return [...word].reverse().join('');
  }
}
// #endregion others

// #region raw
const Search = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1 },
    sort: { enum: ['newest', 'oldest'], default: 'newest' },
    size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  required: ['query'],
  additionalProperties: false,
} as const;

@Feature()
export class SearchFeature {
  @Tool('Searches the catalogue', { input: Search })
  search({ query, sort, size }: Infer<typeof Search>): string {
    return `${size} ${sort} books about ${query}`;
  }
}
// #endregion raw

// #region given
interface Point {
  x: number;
  y: number;
}
/** Its text comes from a file. */
export const schemaOfPoint = (text: string) => JSON.parse(text) as JsonSchemaOf<Point>;
// #endregion given

// #region prompt
const Month = z.object({ month: z.enum(['May', 'June']).describe('When'), days: z.int().max(31).optional() });

@Feature()
export class PlanFeature {
  @Prompt('Plan a month', { input: Month })
  plan({ month, days = 30 }: Infer<typeof Month>): string {
    return `Plan ${days} days of ${month}.`;
  }
}
// #endregion prompt
