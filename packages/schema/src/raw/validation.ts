/** A compiled raw JSON Schema: validates whole values, and parts of values. */
import type { JsonSchema, Reading } from '../value-plan';
import type { Ajv, AjvValidate, AjvError } from './load-ajv';
import { largestThorough, hasAtMost } from '../schema-bounds';
import { shorten, type Failure } from '@sigil-mcp/base';
import { mostFailures } from '../read/compile-value';

/** By which the parts of a schema refer to it. */
const KEY = 'sigil:schema';

/** What judges by one schema. */
export class Validation {
  readonly #ajv: Ajv;
  readonly #whole: AjvValidate;
  /** Finds all failures, each of which ajv keeps as an object: compiled for the first value that has one. False if it cannot be. */
  #thorough: AjvValidate | false | undefined;
  #isKept = false;

  /** Compiles a schema; throws what ajv throws. @param create makes an ajv that stops at the first failure, or finds all */
  constructor(
    private readonly create: (how: { readonly allErrors: boolean }) => Ajv,
    private readonly schema: JsonSchema,
  ) {
    this.#ajv = create({ allErrors: false });
    this.#whole = this.#ajv.compile(schema);
  }

  /** Judges a value by the schema as a whole. Never throws for bad values. */
  judge(value: unknown): Reading<unknown> {
    const reading = judgeBy(this.#whole, value);
    if (reading.ok || !hasAtMost(largestThorough, value)) return reading;
    const validate = this.#findAll();
    if (!validate) return reading;
    const thorough = judgeBy(validate, value);
    return thorough.ok ? reading : thorough;
  }

  /** What finds all failures; undefined where code is compiled only at the start, as in Cloudflare Workers. */
  #findAll(): AjvValidate | undefined {
    if (this.#thorough === undefined)
      try {
        this.#thorough = this.create({ allErrors: true }).compile(this.schema);
      } catch {
        this.#thorough = false;
      }
    return this.#thorough || undefined;
  }

  /** Compiles what judges by the part of the schema at a JSON pointer; throws what ajv throws. */
  part(pointer: string): (value: unknown) => Reading<unknown> {
    if (!this.#isKept) this.#ajv.addSchema(this.schema, KEY);
    this.#isKept = true;
    const validate = this.#ajv.compile({ $ref: `${KEY}#${pointer}` });
    return (value) => judgeBy(validate, value);
  }
}

function judgeBy(validate: AjvValidate, value: unknown): Reading<unknown> {
  try {
    if (validate(value) === true) return { ok: true, value };
    return { ok: false, failures: ajvFailures(validate.errors ?? []) };
  } catch (error) {
    // Nested beyond the stack, or with keys such as valueOf that ajv's comparison trips over: not accepted, in any case.
    const message = error instanceof RangeError ? 'is nested too deeply' : 'cannot be validated';
    return { ok: false, failures: [{ path: '', message }] };
  } finally {
    // ajv would keep them until the next value.
    validate.errors = null;
  }
}

/** The first failures, in ajv's order. */
function ajvFailures(errors: readonly AjvError[]): readonly Failure[] {
  return errors.slice(0, mostFailures).map(toFailure);
}

function toFailure({ instancePath, keyword, params, message = 'is not valid' }: AjvError): Failure {
  const path = shorten(toPath(instancePath), 300);
  switch (keyword) {
    case 'required':
      return { path: join(path, params['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { path: join(path, params['additionalProperty']), message: 'is not a known property' };
    case 'unevaluatedProperties':
      return { path: join(path, params['unevaluatedProperty']), message: 'is not a known property' };
    case 'enum':
      return { path, message: `must be one of ${shorten(JSON.stringify(params['allowedValues']), 300)}` };
    case 'const':
      return { path, message: `must be ${shorten(JSON.stringify(params['allowedValue']), 300)}` };
    default:
      return { path, message: shorten(message, 300) };
  }
}

/** `/stops/2/city` -> `stops[2].city` */
function toPath(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((path, step) => join(path, step.replaceAll('~1', '/').replaceAll('~0', '~')), '');
}

function join(path: string, key: unknown): string {
  const name = shorten(String(key), 60);
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}
