/** Large values under the schema of a library: of a list that is bad throughout, a part is asked about, and the whole is not. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import type { Reading } from '../src/value-plan';
import { compileStandardInput } from '../src/standard/compile-standard';
import type { StandardSchema } from '../src/standard-schema';

const COUNT = 300_000;
const report = ({ problem }: { problem: string }): never => {
  throw new Error(problem);
};

/** What comes of a value, and the numbers of rows of which the library was asked. */
async function ask(schema: unknown, value: object) {
  const asked: number[] = [];
  const { '~standard': standard } = schema as StandardSchema;
  const validate = (given: unknown) => {
    asked.push(Object.keys((given as { rows: object }).rows).length);
    return standard.validate(given);
  };
  const watched = { '~standard': { ...standard, vendor: `watched ${standard.vendor}`, validate } };
  const reading: Reading<unknown> = await compileStandardInput(watched, report, 'Test.method')!.read(value);
  return { reading, asked };
}

const rowsOf = (row: (index: number) => unknown): object => ({
  rows: Array.from({ length: COUNT }, (_, at) => row(at)),
});
const refused = (reading: Reading<unknown>) => (reading.ok ? [] : reading.failures);

describe('a large value', () => {
  it.each<[string, unknown]>([
    ['zod', z.object({ rows: z.array(z.object({ id: z.string() })) })],
    ['arktype', type({ rows: type({ id: 'string' }).array() })],
    ['valibot', toStandardJsonSchema(v.object({ rows: v.array(v.object({ id: v.string() })) }))],
  ])('is refused by a part of it: %s', async (_, schema) => {
    const { reading, asked } = await ask(
      schema,
      rowsOf((id) => ({ id })),
    );
    expect(refused(reading)).toHaveLength(50);
    expect(refused(reading)[0]).toEqual({ path: 'rows[0].id', message: expect.stringMatching(/^must be a string/) });
    expect(asked).toEqual([200]);
  });

  it('is refused by the names of its rows, and by what is unknown in them', async () => {
    const schema = z.object({ rows: z.record(z.string(), z.strictObject({ id: z.number() })) });
    const rows = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`row${at}`, { id: 1, ['x']: 1 }]));
    const { reading, asked } = await ask(schema, { rows });
    expect(refused(reading)[0]).toEqual({ path: 'rows.row0.x', message: 'is not a known property (known: id)' });
    expect(asked).toEqual([200]);
  });

  it('is told of with the places in the whole', async () => {
    const schema = z.object({ rows: z.array(z.string()) });
    const { reading } = await ask(
      schema,
      rowsOf((at) => (at % 3 === 2 && at > 100 ? at : 'fine')),
    );
    expect(refused(reading).length).toBeGreaterThan(20);
    for (const { path } of refused(reading)) expect(Number(/^rows\[(\d+)\]$/.exec(path)?.[1]) % 3).toBe(2);
  });

  it('is asked about as a whole where nothing of a part is wrong', async () => {
    const rows = z
      .array(z.coerce.number())
      .min(1000)
      .refine((all) => all.length === COUNT, 'be complete');
    const { reading, asked } = await ask(z.object({ rows }), rowsOf(String));
    expect(reading.ok && (reading.value as { rows: number[] }).rows[COUNT - 1]).toBe(COUNT - 1);
    expect(asked).toEqual([200, COUNT]);
    const last = await ask(
      z.object({ rows: z.array(z.string()) }),
      rowsOf((at) => (at === COUNT - 1 ? 1 : '')),
    );
    expect(refused(last.reading)).toEqual([{ path: `rows[${COUNT - 1}]`, message: 'must be a string' }]);
  });

  it('is not refused for what a function finds in a part alone', async () => {
    const sum = z.array(z.number()).superRefine((all, context) => {
      if (all.length < COUNT) context.addIssue({ code: 'custom', message: 'must sum up', path: [0] });
    });
    expect(
      (
        await ask(
          z.object({ rows: sum }),
          rowsOf(() => 1),
        )
      ).reading.ok,
    ).toBe(true);
  });

  it('may have functions that need the whole', async () => {
    const last = z.array(z.object({ id: z.number() })).transform((all) => all[COUNT - 1]!.id);
    const { reading } = await ask(
      z.object({ rows: last }),
      rowsOf((id) => ({ id })),
    );
    expect(reading).toEqual({ ok: true, value: { rows: COUNT - 1 } });
    const later = z.array(z.number()).refine(async (all) => Promise.resolve(all[COUNT - 1]!.toFixed() === '1'));
    const shape = compileStandardInput(z.object({ rows: later }), report, 'Test.method')!;
    expect((await shape.read(rowsOf(() => 1))).ok).toBe(true);
  });

  it('is bounded where it is nested: lists of lists of lists', async () => {
    const deep = (level: number): unknown => (level === 0 ? 1 : Array.from({ length: 10 }, () => deep(level - 1)));
    let rows: z.ZodType = z.string();
    for (let level = 0; level < 5; level += 1) rows = z.array(rows);
    const { reading, asked } = await ask(z.object({ rows }), { rows: deep(5) });
    expect(refused(reading)).toHaveLength(50);
    expect(asked).toEqual([10]);
  });
});
