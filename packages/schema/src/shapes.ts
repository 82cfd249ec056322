/** The shapes of one server: each class is compiled once, however many handlers use it. */
import {
  isBuiltIn,
  isClass,
  nameValue,
  type Class,
  type DefinitionProblem,
  type FormSchema,
  type ReportProblem,
} from '@sigil-mcp/base';
import type * as Compiler from './class-compiler';
import type * as Elsewhere from './elsewhere';
import { schemaWords } from './errors/errors';
import type { InferJson, JsonSchemaOf } from './infer-json';
import { loadCompiler } from './load-compiler';
import type { InputOptions } from './read/read-object';
import { isStandardSchema, type StandardSchema } from './standard-schema';
import { shapeRecorder, storedData, StoredShapes } from './stored/stored-shapes';
import type { FormShape, InputShape, JsonSchema, OutputShape } from './value-plan';

/** Undefined where no bundle has stored shapes, and none is being made. @param tellStale receives the problem of a class that has changed since */
function openStored(tellStale: (problem: DefinitionProblem) => void): StoredShapes | undefined {
  const [data, recorder] = [storedData(), shapeRecorder()];
  return data || recorder ? new StoredShapes(data, recorder, tellStale) : undefined;
}

/** A description of the shape of a value: a DTO class, a schema of another library, or a JSON Schema. */
export type SchemaSource = Class | StandardSchema | JsonSchema;

/** A description of a form: a DTO class, or a schema of another library. */
export type FormSource = Class | StandardSchema;

/**
 * What a handler is given that has this input: an instance of the class, what the schema makes of the arguments, the data that the
 * JSON Schema describes, with its defaults. `unknown` for a JSON Schema of which the compiler knows nothing.
 * @example
 * const Point = z.object({ x: z.number(), y: z.number().default(0) });
 * type Point = Infer<typeof Point>; // { x: number; y: number }
 */
export type Infer<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? MemberOf<Types, 'output'>
  : InferOwn<S>;

/** What a handler may return that has this output: an instance of the class, what the schema validates, the data of a JSON Schema. */
export type InferReturned<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? MemberOf<Types, 'input'>
  : InferOwn<S>;

type MemberOf<Types, Side extends 'input' | 'output'> =
  NonNullable<Types> extends { readonly [Name in Side]: infer Value } ? Value : unknown;

type InferOwn<S> =
  S extends Class<infer Instance>
    ? Instance
    : S extends JsonSchemaOf<infer Given>
      ? unknown extends Given
        ? InferJson<S>
        : Given
      : undefined;

/** Receives what of a class had to be guessed. */
export interface ClassWarnings {
  /** True: such classes are refused; 'warn': they are accepted, and so are classes that would be refused otherwise. */
  readonly strict: boolean | 'warn';
  /** Adds a property that says too little. */
  add(problem: DefinitionProblem): void;
  /** Warns of all that were added; later ones are reported at once. */
  warn(): void;
  /** Warns of a class that is no longer as it was stored in the bundle of the program. */
  tellStale(problem: DefinitionProblem): void;
}

/** Loads code that most servers do not need: each file takes time at every start. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only when needed, and synchronously
const elsewhere = (): typeof Elsewhere => require('./elsewhere') as typeof Elsewhere;

/** The user of a shape, and the reporter of its problems. */
export interface ShapeUser {
  /** `WeatherFeature.forecast`. */
  readonly where: string;
  readonly report: ReportProblem;
}

/** Compiles classes and schemas; a problem is reported to each user, and the shape is then undefined. */
export class Shapes {
  // A class may be temporary: its compiled shape is collected with it.
  readonly #inputs = new Map<string, WeakMap<Class, InputShape>>();
  readonly #outputs = new WeakMap<Class, OutputShape>();
  readonly #forms = new WeakMap<FormSource, FormShape>();
  readonly #stored = openStored((problem) => this.vague?.tellStale(problem));
  #compiler: Compiler.ClassCompiler | undefined;
  #raw: Elsewhere.RawSchemas | undefined;

  /** @param vague receives warnings about classes, and decides whether the server refuses such classes */
  constructor(private readonly vague?: ClassWarnings) {}

  /** Warns of all classes that say too little; later ones are logged when they are compiled. */
  tellVague(): void {
    this.#stored?.starting();
    this.vague?.warn();
  }

  /** Adds a problem that a strict server refuses, and any other server warns of at its start. */
  addVague(problem: DefinitionProblem, report: ReportProblem): void {
    if (this.#isStrict) report(problem);
    else this.vague?.add(problem);
  }

  /** The shape of a handler's arguments. */
  input(source: SchemaSource, wanted: InputOptions, user: ShapeUser): InputShape | undefined {
    const { where, report } = user;
    if (isStandardSchema(source)) return readBy(elsewhere().compileStandardInput(source, report, where), wanted, user);
    if (!isSource(source, 'input', user)) return undefined;
    if (typeof source !== 'function')
      return readBy(this.#rawSchemas().compileInput(source, report, where), wanted, user);
    const known = this.#inputsFor(wanted);
    const before = known.get(source);
    if (before) return before;
    const stored = this.#stored;
    const shape = stored
      ? stored.input({ dto: source, use: this.#useOf(inputUse(wanted), where), where }, report, (tell) =>
          this.#classes().input(source, wanted, tell, where),
        )
      : this.#classes().input(source, wanted, report, where);
    return this.#keep(known, source, report, shape);
  }

  /** The shape of a handler's return value. */
  output(source: SchemaSource, { where, report }: ShapeUser): OutputShape | undefined {
    if (isStandardSchema(source)) return elsewhere().compileStandardOutput(source, report, where);
    if (!isSource(source, 'output', { where, report })) return undefined;
    if (typeof source !== 'function') return this.#rawSchemas().compileOutput(source, report, where);
    const before = this.#outputs.get(source);
    if (before) return before;
    const stored = this.#stored;
    const shape = stored
      ? stored.output({ dto: source, use: this.#useOf('output', where), where }, report, (tell) =>
          this.#classes().output(source, tell, where),
        )
      : this.#classes().output(source, report, where);
    return this.#keep(this.#outputs, source, report, shape);
  }

  /** The shape of a form; a form that is given as a schema is made for one question, and not cached. */
  form(source: FormSource | FormSchema, { where, report }: ShapeUser): FormShape | undefined {
    const isStandard = isStandardSchema(source);
    const { compileForm, compileStandardForm, rawForm } = elsewhere();
    if (!isStandard && typeof source !== 'function') return rawForm(source, report, where);
    if (!isStandard && !isSource(source, 'form', { where, report })) return undefined;
    const compile = (): FormShape | undefined =>
      isStandard ? compileStandardForm(source, report, where) : compileForm(source, report, where);
    const shape = this.#forms.get(source) ?? compile();
    if (shape) this.#forms.set(source, shape);
    return shape;
  }

  #useOf(kind: string, where: string): string {
    return `${this.#isLenient ? 'lenient ' : ''}${kind} ${where}`;
  }

  get #isStrict(): boolean {
    return this.vague?.strict === true;
  }

  get #isLenient(): boolean {
    return this.vague?.strict === 'warn';
  }

  #classes(): Compiler.ClassCompiler {
    return (this.#compiler ??= new (loadCompiler().ClassCompiler)(this.#isLenient));
  }

  #rawSchemas(): Elsewhere.RawSchemas {
    return (this.#raw ??= new (elsewhere().RawSchemas)());
  }

  #keep<S extends { readonly vague?: readonly DefinitionProblem[] }>(
    known: WeakMap<Class, S>,
    source: Class,
    report: ReportProblem,
    shape: S | undefined,
  ): S | undefined {
    for (const problem of shape?.vague ?? []) this.addVague(problem, report);
    if (!shape || (this.#isStrict && shape.vague?.length)) return undefined;
    known.set(source, shape);
    return shape;
  }

  #inputsFor({ strings = false, coerce = false }: InputOptions): WeakMap<Class, InputShape> {
    const mode = `${strings} ${coerce}`;
    const known = this.#inputs.get(mode) ?? new WeakMap<Class, InputShape>();
    this.#inputs.set(mode, known);
    return known;
  }
}

/** Classes are read otherwise with each of these options. */
function inputUse({ strings = false, coerce = false }: InputOptions): string {
  return `input${strings ? ' strings' : ''}${coerce ? ' coerce' : ''}`;
}

/** Whether a value can be a schema: in JavaScript, or with a cast, a decorator may receive any value. */
function isSource(source: unknown, part: 'input' | 'output' | 'form', { where, report }: ShapeUser): boolean {
  const isShape = typeof source === 'function' ? isClass(source) && !isBuiltIn(source) : source !== null;
  if (!isShape) report({ where, ...schemaWords('SIGIL_NOT_A_SCHEMA', { part, value: nameValue(source) }) });
  return isShape;
}

/** Applies the options of a handler to a shape that was compiled from a schema; undefined if a problem was reported. */
function readBy(
  shape: InputShape | undefined,
  { strings = false, coerce = false }: InputOptions,
  { where, report }: ShapeUser,
): InputShape | undefined {
  if (coerce) report({ where, ...schemaWords('SIGIL_SCHEMA_COERCE') });
  if (!shape || coerce) return undefined;
  const flat = strings ? elsewhere().flatInput(shape) : shape;
  if ('read' in flat) return flat;
  for (const problem of flat) report({ where, ...problem });
  return undefined;
}
