/** What bundles contain in place of `reflect-metadata` answers as the package does, for everything that programs ask it. */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { transpileModule, ModuleKind } from 'typescript';

type Metadata = Readonly<Record<string, (...words: unknown[]) => unknown>>;

/** The functions of a module that adds them to `Reflect`, in a world of its own. */
function load(source: string): { readonly reflect: Metadata; readonly targets: readonly object[] } {
  const world = createContext({});
  runInContext(
    `(function (exports, module) { ${source}
 })({}, {});`,
    world,
  );
  const made = runInContext(
    `(() => {
      class Base {}
      class Derived extends Base {}
      function Old() {}
      function New() {}
      New.prototype = Object.create(Old.prototype, { constructor: { value: New } });
      const bare = Object.create(null);
      return { reflect: Reflect, targets: [Base, Derived, Base.prototype, Derived.prototype, Old, New, bare, 7, null] };
    })()`,
    world,
  ) as { readonly reflect: Metadata; readonly targets: readonly object[] };
  return made;
}

const small = readFileSync(require.resolve('../src/build/small-reflect'), 'utf8');
const SMALL = transpileModule(small, { compilerOptions: { module: ModuleKind.CommonJS } }).outputText;
const LIBRARY = readFileSync(require.resolve('reflect-metadata'), 'utf8');

const ASKED = [
  'hasMetadata',
  'hasOwnMetadata',
  'getMetadata',
  'getOwnMetadata',
  'deleteMetadata',
  'defineMetadata',
  'getMetadataKeys',
  'getOwnMetadataKeys',
  'metadata',
] as const;

/** Calls one function, and returns what it answers, or that it throws. */
function ask({ reflect, targets }: ReturnType<typeof load>, { name, key, value, target, property }: Step): unknown {
  const of = [targets[target], ...(property === undefined ? [] : [property])];
  try {
    if (name === 'defineMetadata') return reflect[name]!(key, value, ...of);
    if (name === 'metadata') return (reflect[name]!(key, value) as (...words: unknown[]) => unknown)(...of);
    const answer = name.endsWith('Keys') ? reflect[name]!(...of) : reflect[name]!(key, ...of);
    return name.endsWith('Keys') ? [...(answer as string[])] : answer;
  } catch (error) {
    return (error as Error).name;
  }
}

interface Step {
  readonly name: (typeof ASKED)[number];
  readonly key: unknown;
  readonly value: unknown;
  readonly target: number;
  readonly property: unknown;
}

describe('the small module in place of reflect-metadata', () => {
  it('answers as the package does, whatever is defined, asked and deleted', () => {
    const step = fc.record<Step>({
      name: fc.constantFrom(...ASKED),
      key: fc.constantFrom('a', 'design:type', '__proto__', 1),
      value: fc.constantFrom(1, 'two', undefined, null),
      target: fc.nat(8),
      property: fc.constantFrom(undefined, 'x', 'y', 'constructor', 5),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [own, library] = [load(SMALL), load(LIBRARY)];
        for (const each of steps) expect([each, ask(own, each)]).toEqual([each, ask(library, each)]);
      }),
      { numRuns: 100 },
    );
  });

  it('decorates in the order of the package, and takes what a decorator returns', () => {
    const outcome = ({ reflect }: ReturnType<typeof load>): unknown => {
      const seen: unknown[] = [];
      const decorator =
        (name: string, result?: unknown) =>
        (...words: unknown[]) => (seen.push([name, ...words]), result);
      class Target {}
      class Other {}
      const replaced = { value: 1 };
      return [
        reflect['decorate']!([decorator('a'), decorator('b', Other)], Target) === Other,
        reflect['decorate']!([decorator('c'), decorator('d', replaced)], Target, 'x', { value: 0 }) === replaced,
        reflect['decorate']!([decorator('e')], Target, 'y'),
        seen.map((words) => (words as unknown[]).map(String)),
      ];
    };
    expect(outcome(load(SMALL))).toEqual(outcome(load(LIBRARY)));
  });

  it('leaves functions alone that are there', () => {
    const { reflect } = load(`${LIBRARY}
      const before = globalThis.Reflect.getMetadata;
      (function (exports) { ${SMALL}
 })({}); globalThis.Reflect.isSame = () => before === globalThis.Reflect.getMetadata;`);
    expect(reflect['isSame']!()).toBe(true);
  });
});
