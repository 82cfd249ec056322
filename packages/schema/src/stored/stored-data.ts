/** The format of stored shapes, and where a bundle and its maker leave them: `sigil build --registry-data` writes what this room reads. */
import type { DefinitionProblem } from '@sigil-mcp/base';
import type { JsonSchema } from '../json-schema';

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
export type StoredData = Readonly<Record<string, StoredShape>>;

/** Receives the shapes of a program, to store them. */
export interface ShapeRecorder {
  record(use: string, shape: StoredShape): void;
  /** Called before a server starts: all its classes are compiled. */
  starting(): void;
}

/** The property of `globalThis` with the stored shapes of a bundle. */
const DATA = Symbol.for('sigil.stored-shapes');
/** The property of `globalThis` with the recorder. */
const RECORDER = Symbol.for('sigil.shape-recorder');

/** The stored shapes of this program; undefined outside of a bundle that has them. */
export function storedData(): StoredData | undefined {
  return Reflect.get(globalThis, DATA) as StoredData | undefined;
}

/** The recorder; undefined unless the shapes of this program are being stored. */
export function shapeRecorder(): ShapeRecorder | undefined {
  return Reflect.get(globalThis, RECORDER) as ShapeRecorder | undefined;
}
