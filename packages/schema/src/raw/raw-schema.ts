/**
 * A raw JSON Schema in place of a class: it is listed as the author wrote it, with the keywords of 2020-12. Values are validated with ajv in the
 * dialect that it declares (2020-12 if it declares none), and its defaults are filled in.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#json-schema-usage
 */
import { isObject, nameValue, shorten, type ErrorWords, type ReportProblem } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import type { InputShape, JsonSchema, OutputShape, Reading } from '../value-plan';
import { compileFiller, invalidSchema } from './compile-defaults';
import { inNewestDialect } from './newest-dialect';
import {
  dialects,
  requireAjv,
  type Ajv,
  type AjvClass,
  type LoadAjv,
  type AjvError,
  type KeywordContext,
  type KeywordDefinition,
  type KeywordValidate,
} from './load-ajv';
import { runawayWords } from './runaway-pattern';
import { exceedsBounds } from '../schema-bounds';
import { isStandardSchema } from '../standard-schema';
import { readData } from '../write/write-object';
import { Validation } from './validation';
import { findTwins, JsonSet } from '../rules/unique-items';

const own: readonly KeywordDefinition[] = [
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isUnique) => (isUnique === true ? areUnique() : () => true),
  },
  { keyword: 'enum', schemaType: 'array', compile: (values) => isAmong(values as readonly unknown[]) },
];

const newestDialect = 'https://json-schema.org/draft/2020-12/schema';
const options = {
  strict: false,
  validateFormats: false, // annotations, in the newest dialect
  ownProperties: true,
  logger: false,
};

/**
 * What compiles a schema that the meta-schema was found to allow. Without its own meta-schemas an ajv is made in a tenth of a
 * millisecond.
 */
const bare = { ...options, meta: false, validateSchema: false };

/** The instances that know the meta-schemas, which take long to compile: one for each dialect. They compile nothing else. */
// eslint-disable-next-line no-restricted-syntax -- what a meta-schema says does not change, for every server
const metaSchemas = new WeakMap<AjvClass, Ajv>();

/** Compiles the raw schemas of one server. */
export class RawSchemas {
  constructor(private readonly load: LoadAjv = requireAjv) {}

  /** Compiles an input schema, whose root must be `type: 'object'`; undefined if a problem was reported. */
  compileInput(schema: JsonSchema, report: ReportProblem, where: string): InputShape | undefined {
    const compiled = this.#compileInput(schema);
    if (!('code' in compiled)) return compiled;
    report({ where, ...compiled });
    return undefined;
  }

  /** Compiles an output schema of any type; undefined if a problem was reported. */
  compileOutput(schema: JsonSchema, report: ReportProblem, where: string): OutputShape | undefined {
    const validation = foreignProblem(schema) ?? this.#compile(schema);
    if (validation instanceof Validation)
      return { schema: inNewestDialect(schema), write: (value) => write(validation, value) };
    report({ where, ...validation });
    return undefined;
  }

  #compileInput(schema: JsonSchema): InputShape | ErrorWords {
    const problem = foreignProblem(schema);
    if (problem) return problem;
    if (isObject(schema) && schema['type'] !== 'object') return schemaWords('SIGIL_SCHEMA_ROOT');
    const validation = this.#compile(schema);
    if (!(validation instanceof Validation)) return validation;
    const fill = compileFiller(schema, validation);
    const listed = inNewestDialect(schema);
    if (!fill) return { schema: listed, read: (value) => validation.judge(value) };
    return typeof fill === 'function' ? { schema: listed, read: (value) => fill(validation.judge(value)) } : fill;
  }

  #compile(schema: JsonSchema): Validation | ErrorWords {
    if (!isObject(schema)) return schemaWords('SIGIL_SCHEMA_NOT_AN_OBJECT');
    if (exceedsBounds(schema)) return schemaWords('SIGIL_SCHEMA_TOO_LARGE', { schema: 'JSON Schema' });
    const declared = schema['$schema'] === undefined ? newestDialect : schema['$schema'];
    const module = typeof declared === 'string' ? dialects.get(declared.replace(/#$/, '')) : undefined;
    if (module === undefined)
      return schemaWords('SIGIL_SCHEMA_DIALECT', {
        dialect: shorten(String(JSON.stringify(declared)), 200),
        dialects: [...dialects.keys()].join(', '),
      });
    const Ajv = this.#find(module);
    return Ajv ? compileIn(Ajv, schema) : schemaWords('SIGIL_AJV_MISSING');
  }

  #find(module: string): AjvClass | undefined {
    try {
      return this.load(module);
    } catch {
      return undefined;
    }
  }
}

/**
 * Each schema is compiled by an ajv of its own, which is gone when the schema is: ajv lets go of nothing that it ever
 * compiled. And schemas with the same `$id` do not meet.
 */
function compileIn(Ajv: AjvClass, schema: JsonSchema): Validation | ErrorWords {
  try {
    const meta = metaSchemaOf(Ajv);
    if (meta.validateSchema(schema) !== true) return invalidSchema(meta.errorsText());
    const runaway = runawayWords(schema);
    if (runaway) return runaway;
    const known = namesMetaSchema(schema) ? options : bare;
    return new Validation((how) => withOwnKeywords(new Ajv({ ...known, ...how })), schema);
  } catch (error) {
    if (error instanceof EvalError) return schemaWords('SIGIL_SCHEMA_NO_CODE');
    const reason = error instanceof Error ? error.message : String(error);
    return error instanceof Error && 'missingRef' in error
      ? schemaWords('SIGIL_SCHEMA_REFERENCE', { reference: shorten(String(error.missingRef), 200) })
      : invalidSchema(reason);
  }
}

function metaSchemaOf(Ajv: AjvClass): Ajv {
  const meta = metaSchemas.get(Ajv) ?? new Ajv({ ...options, allErrors: true });
  metaSchemas.set(Ajv, meta);
  return meta;
}

/** Whether a schema refers to that of its dialect: it is then of schemas itself. */
function namesMetaSchema(schema: JsonSchema): boolean {
  return /"\$(ref|dynamicRef)":"https?:\/\/json-schema\.org\//.test(JSON.stringify(schema));
}

/** A value that was passed as a JSON Schema and is not one, such as a schema of a library that was not converted. */
function foreignProblem(schema: unknown): ErrorWords | undefined {
  if (!isObject(schema)) return undefined;
  if (['parse', 'validate', 'assert'].some((name) => typeof schema[name] === 'function'))
    return schemaWords('SIGIL_SCHEMA_UNKNOWN', { value: nameValue(schema) });
  const names = Object.keys(schema).filter((name) => isStandardSchema(schema[name]));
  return names.length > 0 ? schemaWords('SIGIL_SCHEMA_SHAPE', { names: shorten(names.join(', '), 200) }) : undefined;
}

function write(validation: Validation, value: unknown): Reading<unknown> {
  const data = readData(value);
  return data.ok ? validation.judge(data.value) : data;
}

/**
 * Replaces keywords of ajv with ours.
 *
 * Keywords of ajv whose time or memory grows faster than a value: `uniqueItems` compares each item with each other one, `enum` each value
 * with each choice, and `contains` keeps a failure for each item that is not the one. Ours say the same with one look at each part.
 */
function withOwnKeywords(ajv: Ajv): Ajv {
  const contains = ajv.RULES.all['contains']?.definition;
  for (const keyword of [...own, ...(contains ? [quiet(contains)] : [])]) {
    ajv.removeKeyword(keyword.keyword);
    ajv.addKeyword(keyword);
  }
  return ajv;
}

function areUnique(): KeywordValidate {
  const validate: KeywordValidate = (items) => {
    const twins = findTwins(items as readonly unknown[]);
    if (!twins) return true;
    const [first, second] = twins;
    const message = `must NOT have duplicate items (items ## ${first} and ${second} are identical)`;
    return refuse(validate, { keyword: 'uniqueItems', message, params: { i: second, j: first } });
  };
  return validate;
}

function isAmong(allowedValues: readonly unknown[]): KeywordValidate {
  const values = new JsonSet(allowedValues);
  const validate: KeywordValidate = (value) =>
    values.has(value) ||
    refuse(validate, {
      keyword: 'enum',
      message: 'must be equal to one of the allowed values',
      params: { allowedValues },
    });
  return validate;
}

function refuse(validate: KeywordValidate, error: Omit<AjvError, 'instancePath'>): false {
  validate.errors = [error];
  return false;
}

/** ajv's own keyword, without the errors of each item. */
function quiet(contains: KeywordDefinition): KeywordDefinition {
  const { code } = contains;
  if (!code) return contains;
  return {
    ...contains,
    code: (context) => {
      const subschema = context.subschema.bind(context);
      const silent: KeywordContext['subschema'] = (part, valid) => {
        const judged = subschema({ ...part, createErrors: false, allErrors: false }, valid);
        context.reset();
        return judged;
      };
      code(Object.assign(context, { subschema: silent }));
    },
  };
}
