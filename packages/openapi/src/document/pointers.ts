/** References within a document: JSON pointers, followed until there is a value. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';

/** The members of a path that are operations. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

/** A value, with the reference that led to it last. */
export interface Followed {
  readonly value: LooseObject;
  /** `#/components/schemas/Pet`; undefined if the value stands where it is used. */
  readonly reference: string | undefined;
}

/** More references one after the other are a loop. */
const MOST_STEPS = 100;

/** Follows the references of one document. */
export class Pointers {
  readonly #found = new Map<string, unknown>();
  readonly #made = new WeakMap<object, Map<string, unknown>>();

  constructor(private readonly root: LooseObject) {}

  /** The value at a pointer such as `#/components/schemas/Pet`; undefined if it leads nowhere. */
  find(reference: string): unknown {
    if (!this.#found.has(reference)) this.#found.set(reference, this.#walk(reference));
    return this.#found.get(reference);
  }

  /**
   * Follows a value that may be a reference. Texts and a few other words next to the reference count more than those of its target.
   * @returns undefined if the value is no object, or if the references lead nowhere
   */
  follow(value: unknown): Followed | undefined {
    let reference: string | undefined;
    let current = value;
    let beside: LooseObject = {};
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (!isObject(current)) return undefined;
      const { $ref, ...others } = current;
      if (typeof $ref !== 'string') {
        const whole = Object.keys(beside).length === 0 ? current : { ...current, ...beside };
        return { value: whole, reference };
      }
      beside = { ...countedOf(others), ...beside };
      reference = $ref;
      current = this.find($ref);
    }
    return undefined;
  }

  /**
   * What is made of a part of the document, made once.
   * @param kind of what is made, which is of one type
   */
  once<Made>(part: object, kind: string, make: () => Made): Made {
    const kinds = this.#made.get(part) ?? new Map<string, unknown>();
    this.#made.set(part, kinds);
    if (!kinds.has(kind)) kinds.set(kind, make());
    // A kind has one type.
    return kinds.get(kind) as Made;
  }

  #walk(reference: string): unknown {
    if (reference === '#') return this.root;
    if (!reference.startsWith('#/')) return undefined;
    let current: unknown = this.root;
    for (const part of reference.slice(2).split('/')) {
      const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(current)) current = (current as unknown[])[Number(name)];
      else if (isObject(current) && Object.hasOwn(current, name)) current = current[name];
      else return undefined;
    }
    return current;
  }
}

/** What counts next to a reference, as OpenAPI 3.1 allows it, and 3.0 in practice. */
const BESIDE = ['description', 'summary', 'nullable', 'deprecated', 'default', 'readOnly', 'writeOnly'];

function countedOf(schema: LooseObject): LooseObject {
  return Object.fromEntries(BESIDE.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
