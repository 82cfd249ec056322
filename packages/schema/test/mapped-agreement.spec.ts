/** For generated classes, the schema of a mapped class is the mapped part of the schema of its class. */
import fc from 'fast-check';
import { IntersectionType, OmitType, PartialType, PickType } from '../src';
import { compileInput } from '../src/compile-shapes';
import type { Class } from '@sigil-mcp/base';
import { generatedDto } from './generated-dto';
import { runs } from '../../../test/support/matrix';

const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(400));
/** To see the same classes again: the seed of a failure. */
const seed = process.env['AGREEMENT_SEED'] === undefined ? {} : { seed: Number(process.env['AGREEMENT_SEED']) };

interface Listed {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
}

/** Undefined where its rules contradict each other. */
function list(dto: Class): Listed | undefined {
  const schema = compileInput(dto, {}, () => undefined, 'Generated')?.schema;
  if (!schema) return undefined;
  // Which of the classes that hold themselves is called Generated2 depends on what stands before it.
  const { properties = {}, required = [] } = JSON.parse(
    JSON.stringify(schema).replace(/#\/\$defs\/Generated\d*/g, '#/$defs/Generated'),
  ) as Partial<Listed>;
  return { properties, required };
}

const only = <T>(from: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

type Mapper = (dto: Class, names: readonly never[]) => Class;
const pick = PickType as Mapper;
const omit = OmitType as Mapper;

describe('the schema of a mapped class', () => {
  it('is the mapped part of the schema', () => {
    fc.assert(
      fc.property(
        generatedDto(1).map(({ dto }) => dto),
        fc.func(fc.boolean()),
        (dto, isKept) => {
          const before = list(dto);
          if (!before || 'self' in before.properties) return;
          const all = Object.keys(before.properties);
          const kept = all.filter((name) => isKept(name));
          const others = all.filter((name) => !kept.includes(name));
          const picked = list(pick(dto, kept as never[]))!;
          expect(picked.properties).toEqual(only(before.properties, kept));
          expect(picked.required).toEqual(before.required.filter((name) => kept.includes(name)));
          expect(list(omit(dto, others as never[]))).toEqual(picked);
          expect(list(IntersectionType(pick(dto, kept as never[]), omit(dto, kept as never[])))).toEqual({
            ...before,
            required: expect.arrayContaining([...before.required]),
          });
          const partial = list(PartialType(dto))!;
          expect(partial.required).toEqual([]);
          const bare = Object.entries(before.properties).map(([name, { default: _none, ...rest }]) => [name, rest]);
          expect(partial.properties).toEqual(Object.fromEntries(bare));
        },
      ),
      { numRuns: times, ...seed },
    );
  }, 3_600_000);
});
