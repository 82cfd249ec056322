/** The port to ajv, an optional peer: loaded when the first raw JSON Schema is compiled, never by an import. */

/** The dialects of JSON Schema that ajv can process, by their `$schema` without an empty fragment. */
export const dialects: ReadonlyMap<string, string> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', 'ajv/dist/2020'],
  ['https://json-schema.org/draft/2019-09/schema', 'ajv/dist/2019'],
  ['http://json-schema.org/draft-07/schema', 'ajv'],
]);

/** One thing that ajv found wrong. */
export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** A compiled schema; its errors are those of the last call. */
export interface AjvValidate {
  (value: unknown): unknown;
  errors?: readonly AjvError[] | null;
}

/** What is used of an ajv instance. */
export interface Ajv {
  validateSchema(schema: object): unknown;
  compile(schema: object): AjvValidate;
  /** Keeps a schema under a key, by which others refer to it. */
  addSchema(schema: object, key: string): unknown;
  errorsText(): string;
  removeKeyword(keyword: string): unknown;
  addKeyword(definition: KeywordDefinition): unknown;
  /** The keywords that it knows. */
  readonly RULES: { readonly all: Readonly<Record<string, { readonly definition?: KeywordDefinition } | undefined>> };
}

/** What judges by one keyword; its errors are those of the last call. */
export interface KeywordValidate {
  (value: unknown): boolean;
  errors?: readonly Omit<AjvError, 'instancePath'>[];
}

/** How a keyword is compiled into code. */
export interface KeywordContext {
  subschema(part: object, valid: unknown): unknown;
  /** Writes code that forgets what was found wrong since the keyword began. */
  reset(): void;
}

/** A keyword: a function for each use of it, or ajv's own code. */
export interface KeywordDefinition {
  readonly keyword: string;
  readonly type?: string;
  readonly schemaType?: string;
  readonly compile?: (schema: unknown) => KeywordValidate;
  readonly code?: (context: KeywordContext) => void;
}

/** The class of one of ajv's modules. */
export type AjvClass = new (options: object) => Ajv;

/** Loads one of ajv's modules by name; throws if it is not installed. */
export type LoadAjv = (module: string) => AjvClass;

/* eslint-disable @typescript-eslint/no-require-imports -- loaded only when needed, and optional */
/** Each by its own words, for bundlers to see. */
const modules: Readonly<Record<string, () => unknown>> = {
  'ajv/dist/2020': () => require('ajv/dist/2020') as unknown,
  'ajv/dist/2019': () => require('ajv/dist/2019') as unknown,
  ajv: () => require('ajv') as unknown,
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** Loads ajv from where the server runs. */
export const requireAjv: LoadAjv = (module) =>
  // The cast stands for ajv's types, which this package must not import: they are not there without ajv.
  (modules[module]?.() as { default: AjvClass }).default;
