/**
 * Shapes that are not compiled at the start, because a bundle contains what a server lists of them. The class is compiled by its first
 * call, and then compared with what was stored: the environment of the program may have changed it.
 */
import { DefinitionError, type Class, type DefinitionProblem, type ReportProblem } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import type { InputShape, OutputShape } from '../compiled-shape';
import type { JsonSchema } from '../json-schema';
import { marksOf } from './class-marks';
import type { ShapeRecorder, StoredData, StoredShape } from './stored-data';

/** A class and its use. */
export interface ClassUse {
  readonly dto: Class;
  /** `input Weather.forecast`. */
  readonly use: string;
  /** `Weather.forecast`. */
  readonly where: string;
}

type Shape = InputShape | OutputShape;
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

  #recorded<S extends Shape>({ dto, use }: ClassUse, shape: S | undefined): S | undefined {
    if (shape && this.recorder) {
      const { schema, stricter = [], sensitive = [], vague = [] } = shape;
      this.recorder.record(use, { marks: marksOf(dto), schema, stricter, sensitive, vague });
    }
    return shape;
  }

  /** Compiles a class when it is first used. */
  #later<S extends Shape>({ dto, where }: ClassUse, { schema }: StoredShape, compile: Compile<S>): () => S {
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
class Stored<S extends Shape> {
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

class StoredInput extends Stored<InputShape> implements InputShape {
  read(value: unknown): ReturnType<InputShape['read']> {
    return this.shape.read(value);
  }
}

class StoredOutput extends Stored<OutputShape> implements OutputShape {
  write(value: unknown): ReturnType<OutputShape['write']> {
    return this.shape.write(value);
  }
}
