/**
 * A raw JSON Schema in place of a class: listed as the very object that the author gave, validated with ajv in the dialect
 * that it declares (2020-12 where it declares none).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#json-schema-usage
 */
import type { ReportProblem } from '../../errors/definition-error';
import { isObject } from '../../values/plain-object';
import { ajvFailures } from './ajv-failures';
import type { InputShape, OutputShape, Reading } from '../compiled-shape';
import type { JsonSchema } from '../json-schema';
import { dialects, requireAjv, type Ajv, type AjvValidate, type LoadAjv } from './load-ajv';
import type { ErrorWords } from '../../errors/words-for';
import { rawProblems } from './raw-problems';
import { exceedsBounds } from '../schema-bounds';

const newestDialect = 'https://json-schema.org/draft/2020-12/schema';
const options = {
  strict: false,
  allErrors: true,
  validateFormats: false, // annotations, in the newest dialect
  ownProperties: true,
  logger: false,
};

/** Compiles the raw schemas of one server; ajv and its meta-schemas are set up once per dialect. */
export class RawSchemas {
  readonly #validators = new Map<string, Ajv>();

  constructor(private readonly load: LoadAjv = requireAjv) {}

  /** Compiles an input schema, whose root must be `type: 'object'`; undefined if a problem was reported. */
  compileInput(schema: JsonSchema, report: ReportProblem, where: string): InputShape | undefined {
    const problem = isObject(schema) && schema['type'] !== 'object' ? rawProblems.rootIsNoObject() : undefined;
    const validate = problem ?? this.#compile(schema);
    if (typeof validate !== 'function') {
      report({ where, ...validate });
      return undefined;
    }
    return { schema, read: (value) => judge(validate, value) };
  }

  /** Compiles an output schema of any type; undefined if a problem was reported. */
  compileOutput(schema: JsonSchema, report: ReportProblem, where: string): OutputShape | undefined {
    const validate = this.#compile(schema);
    if (typeof validate !== 'function') {
      report({ where, ...validate });
      return undefined;
    }
    return { schema, write: (value) => judgeWritten(validate, value) };
  }

  #compile(schema: JsonSchema): AjvValidate | ErrorWords {
    if (!isObject(schema)) return rawProblems.noSchema();
    if (exceedsBounds(schema)) return rawProblems.tooLarge();
    const declared = schema['$schema'] === undefined ? newestDialect : schema['$schema'];
    const module = typeof declared === 'string' ? dialects.get(declared.replace(/#$/, '')) : undefined;
    if (module === undefined) return rawProblems.unsupportedDialect(declared);
    // ajv keeps every $id that it has seen; schemas with one get an ajv of their own, so that they cannot meet.
    const ajv = JSON.stringify(schema).includes('"$id"') ? this.#create(module) : this.#open(module);
    return ajv ? compileWith(ajv, schema) : rawProblems.withoutAjv();
  }

  #open(module: string): Ajv | undefined {
    const ajv = this.#validators.get(module) ?? this.#create(module);
    if (ajv) this.#validators.set(module, ajv);
    return ajv;
  }

  #create(module: string): Ajv | undefined {
    try {
      return new (this.load(module))(options);
    } catch {
      return undefined;
    }
  }
}

/** A schema is removed again at once: ajv would keep it for as long as it lives itself. */
function compileWith(ajv: Ajv, schema: JsonSchema): AjvValidate | ErrorWords {
  try {
    if (ajv.validateSchema(schema) !== true) return rawProblems.invalid(ajv.errorsText());
    return ajv.compile(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return error instanceof Error && 'missingRef' in error
      ? rawProblems.unresolved(String(error.missingRef))
      : rawProblems.invalid(reason);
  } finally {
    ajv.removeSchema(schema);
  }
}

function judge(validate: AjvValidate, value: unknown): Reading<unknown> {
  try {
    if (validate(value) === true) return { ok: true, value };
    return { ok: false, failures: ajvFailures(validate.errors ?? []) };
  } catch (error) {
    // Nested beyond the stack, or with keys such as valueOf that ajv's comparison trips over: not accepted, in any case.
    const message = error instanceof RangeError ? 'is nested too deeply' : 'cannot be validated';
    return { ok: false, failures: [{ path: '', message }] };
  }
}

function judgeWritten(validate: AjvValidate, value: unknown): Reading<unknown> {
  try {
    return judge(validate, JSON.parse(JSON.stringify(value)));
  } catch {
    return {
      ok: false,
      failures: [
        { path: '', message: 'cannot be written as JSON (a cycle, a BigInt, a function, or nested too deeply)' },
      ],
    };
  }
}
