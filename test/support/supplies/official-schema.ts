/** The official JSON schema of one revision. */
import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { findOfficialSchemas } from './find-official-schemas';
import { describeWith } from './supply';

interface Definition {
  $ref?: string;
  anyOf?: Definition[];
  properties?: Record<string, { const?: unknown }>;
}

/** One revision's schema, each definition compiled when it is first asked for. */
export class OfficialSchema {
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly definitions: Record<string, Definition>;
  private readonly keyword: '$defs' | 'definitions';
  private readonly ajv: Ajv;

  constructor(
    readonly revision: string,
    schema: { $schema: string; $defs?: Record<string, Definition>; definitions?: Record<string, Definition> },
  ) {
    this.keyword = schema.$defs ? '$defs' : 'definitions';
    this.definitions = schema[this.keyword] ?? {};
    const options = { strict: false, allErrors: true };
    this.ajv = schema.$schema.includes('2020-12') ? new Ajv2020(options) : new Ajv(options);
    addFormats(this.ajv);
    this.ajv.addSchema(schema, revision);
  }

  has(definition: string): boolean {
    return definition in this.definitions;
  }

  /** The first of several names under which revisions define the same thing. */
  firstOf(...names: string[]): string {
    const found = names.find((name) => this.has(name));
    if (!found) throw new Error(`${this.revision} defines none of ${names.join(', ')}.`);
    return found;
  }

  /** The name of the definition for a request or notification, if that side may send it. */
  definitionOf(method: string, kind: 'Request' | 'Notification', direction: 'client' | 'server'): string | undefined {
    const union = `${direction === 'client' ? 'Client' : 'Server'}${kind}`;
    const members = this.definitions[union]?.anyOf?.map(({ $ref }) => $ref?.split('/').at(-1) ?? '') ?? [union];
    return members.find((name) => this.definitions[name]?.properties?.['method']?.const === method);
  }

  /** What is wrong with a value under a definition; nothing when it is valid. */
  errors(definition: string, value: unknown): string[] {
    let validate = this.compiled.get(definition);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `${this.revision}#/${this.keyword}/${definition}` });
      this.compiled.set(definition, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => sentence(definition, error));
  }
}

/** The schemas by revision. */
export type OfficialSchemas = ReadonlyMap<string, OfficialSchema>;

/** A `describe` for what needs the official schemas; they are handed to the suite, and can be called for in its tests. */
export function describeWithSchemas(title: string, suite: (schemas: () => OfficialSchemas) => void): void {
  describeWith('official-schemas', title, () => suite(() => loadSchemas() ?? new Map<string, OfficialSchema>()));
}

/** Schemas are compiled once for each test file. */
const loaded: { schemas?: OfficialSchemas | undefined } = {};

/** The schemas, where this machine has them. */
export function loadSchemas(): OfficialSchemas | undefined {
  return (loaded.schemas ??= readSchemas());
}

function readSchemas(): OfficialSchemas | undefined {
  const files = findOfficialSchemas();
  return files && new Map([...files].map(([revision, file]) => [revision, readSchema(revision, file)]));
}

function readSchema(revision: string, file: string): OfficialSchema {
  try {
    return new OfficialSchema(revision, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is no JSON schema: run npm run schemas again.`, { cause: error });
  }
}

function sentence(definition: string, { instancePath, message, params }: ErrorObject): string {
  return `${definition}${instancePath}: ${message ?? 'is invalid'} ${JSON.stringify(params)}`;
}
