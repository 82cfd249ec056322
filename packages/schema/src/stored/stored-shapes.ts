/**
 * Shapes that are not compiled at the start, because a bundle contains what a server lists of them. The class is compiled by its first
 * call, and then compared with what was stored: the environment of the program may have changed it.
 */
import { DefinitionError, type Class, type DefinitionProblem, type ReportProblem } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import type { InputShape, JsonSchema, OutputShape } from '../value-plan';
import { findMetadata } from '../rules/validator-metadata';

/** The shape of one class at one handler, as data. */
export interface StoredShape {
  /** The rules of the class when it was stored. */
  readonly marks: string;
  readonly schema: JsonSchema;
  readonly stricter: readonly string[];
  readonly sensitive: readonly (readonly string[])[];
  readonly vague: readonly DefinitionProblem[];
}

/** Stored shapes by their use, as `input Weather.forecast`. */
type StoredData = Readonly<Record<string, StoredShape>>;

/** Receives the shapes of a program, to store them. */
interface ShapeRecorder {
  record(use: string, shape: StoredShape): void;
  /** Called before a server starts: all its classes are compiled. */
  starting(): void;
}

/** The property of `globalThis` with the stored shapes of a bundle. */
const DATA = Symbol.for('sigil.stored-shapes');

/** The property of `globalThis` with the recorder. */
const RECORDER = Symbol.for('sigil.shape-recorder');

/** A class and its use. */
export interface ClassUse {
  readonly dto: Class;
  /** `input Weather.forecast`. */
  readonly use: string;
  /** `Weather.forecast`. */
  readonly where: string;
}

type AnyShape = InputShape | OutputShape;
type Compile<S> = (report: ReportProblem) => S | undefined;

/** Finds stored shapes, and records compiled ones for the next bundle. */
export class StoredShapes {
  /** @param tellStale receives the problem of a class that is no longer as it was stored */
  constructor(
    private readonly data: StoredData | undefined,
    private readonly recorder: ShapeRecorder | undefined,
    private readonly tellStale: (problem: DefinitionProblem) => void,
  ) {}

  /** The shape that reads a class. @param compile compiles it; undefined if it reported a problem */
  input(used: ClassUse, report: ReportProblem, compile: Compile<InputShape>): InputShape | undefined {
    const found = this.#find(used);
    return found ? new StoredInput(found, this.#later(used, found, compile)) : this.#recorded(used, compile(report));
  }

  /** The shape that writes a class. @param compile compiles it; undefined if it reported a problem */
  output(used: ClassUse, report: ReportProblem, compile: Compile<OutputShape>): OutputShape | undefined {
    const found = this.#find(used);
    return found ? new StoredOutput(found, this.#later(used, found, compile)) : this.#recorded(used, compile(report));
  }

  /** Called before a server starts. */
  starting(): void {
    this.recorder?.starting();
  }

  #find({ dto, use }: ClassUse): StoredShape | undefined {
    const found = this.data && Object.hasOwn(this.data, use) ? this.data[use] : undefined;
    return found && found.marks === marksOf(dto) ? found : undefined;
  }

  #recorded<S extends AnyShape>({ dto, use }: ClassUse, shape: S | undefined): S | undefined {
    if (shape && this.recorder) {
      const { schema, stricter = [], sensitive = [], vague = [] } = shape;
      this.recorder.record(use, { marks: marksOf(dto), schema, stricter, sensitive, vague });
    }
    return shape;
  }

  /** Compiles a class when it is first used. */
  #later<S extends AnyShape>({ dto, where }: ClassUse, { schema }: StoredShape, compile: Compile<S>): () => S {
    return () => {
      const problems: DefinitionProblem[] = [];
      const shape = compile((problem) => problems.push(problem));
      if (!shape) throw new DefinitionError(problems);
      if (JSON.stringify(shape.schema) !== JSON.stringify(schema))
        this.tellStale({ where, ...schemaWords('SIGIL_STORED_STALE', { type: dto.name }) });
      return shape;
    };
  }
}

/** Lists what was stored, and compiles the class when it is first used. */
class LazyShape<S extends AnyShape> {
  readonly schema: JsonSchema;
  readonly stricter: readonly string[];
  readonly sensitive: StoredShape['sensitive'];
  readonly vague: readonly DefinitionProblem[];
  #shape: S | undefined;

  constructor(
    { schema, stricter, sensitive, vague }: StoredShape,
    private readonly compile: () => S,
  ) {
    [this.schema, this.stricter, this.sensitive, this.vague] = [schema, stricter, sensitive, vague];
  }

  protected get shape(): S {
    return (this.#shape ??= this.compile());
  }
}

class StoredInput extends LazyShape<InputShape> implements InputShape {
  read(value: unknown): ReturnType<InputShape['read']> {
    return this.shape.read(value);
  }
}

class StoredOutput extends LazyShape<OutputShape> implements OutputShape {
  write(value: unknown): ReturnType<OutputShape['write']> {
    return this.shape.write(value);
  }
}

/** The rules of class-validator on a class and its bases, with their arguments. Cheap, because each start computes it. */
function marksOf(dto: Class): string {
  let marks = '';
  for (const [property, rules] of findMetadata(dto)) {
    marks += property;
    for (const { type, name, each, constraints } of rules) {
      marks += ` ${name ?? type}${each ? '*' : ''}`;
      // class-validator types the arguments of its decorators as any; they may be missing.
      for (const given of (constraints as unknown[] | undefined) ?? []) marks += `,${textOf(given)}`;
    }
    marks += ';';
  }
  return marks;
}

function textOf(given: unknown): string {
  if (typeof given === 'number') return String(given);
  try {
    return JSON.stringify(given, (_, value: unknown) => (isJson(value) ? value : textOfOther(value)));
  } catch {
    // An object that contains itself: the first call compares the whole schema.
    return '?';
  }
}

function isJson(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'bigint' && !(value instanceof RegExp);
}

/** Of a function only its name: a bundle with short names has another text. */
function textOfOther(value: unknown): string {
  return typeof value === 'function' ? `function ${value.name}` : String(value);
}

/** The stored shapes of this program; undefined outside of a bundle that has them. */
export function storedData(): StoredData | undefined {
  return Reflect.get(globalThis, DATA) as StoredData | undefined;
}

/** The recorder; undefined unless the shapes of this program are being stored. */
export function shapeRecorder(): ShapeRecorder | undefined {
  return Reflect.get(globalThis, RECORDER) as ShapeRecorder | undefined;
}
