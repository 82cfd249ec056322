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
import { findRunawayPattern } from './runaway-pattern';
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

/**
 * What compiles a schema that the meta-schema was found to allow. Without its own meta-schemas an ajv is made in a tenth of a
 * millisecond.
 */
const bare = { ...options, meta: false, validateSchema: false };

/** Compiles the raw schemas of one server. */
export class RawSchemas {
  /** The instances that know the meta-schemas, which take long to set up: one per dialect. They compile nothing else. */
  readonly #metaSchemas = new Map<string, Ajv>();

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
    const meta = this.#metaSchemas.get(module) ?? this.#create(module);
    if (!meta) return rawProblems.withoutAjv();
    this.#metaSchemas.set(module, meta);
    return this.#compileIn(module, meta, schema);
  }

  /**
   * Each schema is compiled by an ajv of its own, which is gone when the schema is: ajv lets go of nothing that it ever
   * compiled. And schemas with the same `$id` do not meet.
   */
  #compileIn(module: string, meta: Ajv, schema: JsonSchema): AjvValidate | ErrorWords {
    try {
      if (meta.validateSchema(schema) !== true) return rawProblems.invalid(meta.errorsText());
      const pattern = findRunawayPattern(schema);
      if (pattern !== undefined) return rawProblems.runaway(pattern);
      return new (this.load(module))(namesMetaSchema(schema) ? options : bare).compile(schema);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return error instanceof Error && 'missingRef' in error
        ? rawProblems.unresolved(String(error.missingRef))
        : rawProblems.invalid(reason);
    }
  }

  #create(module: string): Ajv | undefined {
    try {
      return new (this.load(module))(options);
    } catch {
      return undefined;
    }
  }
}

/** Whether a schema refers to that of its dialect: it is then of schemas itself. */
function namesMetaSchema(schema: JsonSchema): boolean {
  return /"\$(ref|dynamicRef)":"https?:\/\/json-schema\.org\//.test(JSON.stringify(schema));
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
