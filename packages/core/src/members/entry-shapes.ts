/** The shapes of an entry as guards and observers hold them: what is known of values, and nothing that reads or writes them. */
import { sensitiveParts, type JsonSchema } from '@sigil-mcp/schema';
import type { EntryShapes, ValueShape } from '../context/entry-facts';

/** The facts of a shape. */
class ShapeFacts implements ValueShape {
  readonly #shape: ValueShape;

  constructor(shape: ValueShape) {
    this.#shape = shape;
  }

  get schema(): JsonSchema {
    return this.#shape.schema;
  }

  get sensitive(): NonNullable<ValueShape['sensitive']> {
    return this.#shape.sensitive ?? sensitiveParts(this.#shape);
  }
}

/** Made with each entry; its parts are made when they are read. */
export class FacedShapes implements EntryShapes {
  readonly #input: ValueShape | undefined;
  readonly #output: ValueShape | undefined;

  constructor(input: ValueShape | undefined, output: ValueShape | undefined) {
    this.#input = input;
    this.#output = output;
  }

  get input(): ValueShape | undefined {
    return this.#input && new ShapeFacts(this.#input);
  }

  get output(): ValueShape | undefined {
    return this.#output && new ShapeFacts(this.#output);
  }
}
