/**
 * Judges messages by the official JSON schema of their revision. The schemas are not ours to ship: MCP_SCHEMA_DIR names a
 * folder with `<revision>/schema.json`; without it the suites that need it are skipped by name.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** What a message cannot say of itself: who wrote it and, for a response, the method of the request that it answers. */
export interface MessageContext {
  direction: 'client' | 'server';
  method?: string;
}

interface Definition {
  $ref?: string;
  anyOf?: Definition[];
  properties?: Record<string, { const?: unknown }>;
}

type Message = Record<string, unknown>;

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

/** The schemas by revision; throws where MCP_SCHEMA_DIR does not lead to them. */
export function officialSchemas(): ReadonlyMap<string, OfficialSchema> {
  const folder = schemaFolder();
  if (!folder) throw new Error(`The official JSON schemas are missing: ${supply}`);
  loaded.schemas ??= load(folder);
  return loaded.schemas;
}

/** Whether there are schemas to judge by; SIGIL_REQUIRE_ALL=1 makes their absence an error. */
export function officialSchemasAreThere(): boolean {
  if (process.env['SIGIL_REQUIRE_ALL'] === '1') officialSchemas();
  return schemaFolder() !== undefined;
}

/** A `describe` for what needs the official schemas: skipped by name without them, failing with SIGIL_REQUIRE_ALL=1. */
export function describeWithSchemas(name: string, suite: () => void): void {
  const missing = `needs the official JSON schemas: ${supply}`;
  if (schemaFolder()) describe(name, suite);
  else if (process.env['SIGIL_REQUIRE_ALL'] === '1')
    describe(name, () => void it(missing, () => void officialSchemas()));
  else describe.skip(name, () => void it(missing, () => undefined));
}

/**
 * What is wrong with a message that travelled under a revision; an empty list means it is valid. The envelope, the typed
 * request or notification, and (with `context.method`) the typed result are judged. A batch is judged member by member.
 */
export function validateMessage(
  revision: string,
  message: unknown,
  context: MessageContext = { direction: 'server' },
): string[] {
  const schema = officialSchemas().get(revision);
  if (!schema) return [`there is no schema for revision ${revision}`];
  if (Array.isArray(message)) return validateBatch(schema, message, context);
  if (typeof message !== 'object' || message === null) return ['a message is a JSON object'];
  return validateObject(schema, message as Message, context);
}

const supply = 'set MCP_SCHEMA_DIR to a folder that holds <revision>/schema.json';

/** Schemas are compiled once for each test file. */
const loaded: { schemas?: ReadonlyMap<string, OfficialSchema> } = {};

function schemaFolder(): string | undefined {
  const named = process.env['MCP_SCHEMA_DIR'];
  return named && existsSync(resolve(named)) ? resolve(named) : undefined;
}

function load(folder: string): ReadonlyMap<string, OfficialSchema> {
  const revisions = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'schema.json')));
  return new Map(
    revisions.sort().map((revision) => {
      const text = readFileSync(join(folder, revision, 'schema.json'), 'utf8');
      return [revision, new OfficialSchema(revision, JSON.parse(text))];
    }),
  );
}

function validateBatch(schema: OfficialSchema, batch: unknown[], context: MessageContext): string[] {
  if (!schema.has('JSONRPCBatchRequest')) return [`${schema.revision} has no batches`];
  if (batch.length === 0) return ['a batch is not empty'];
  return batch.flatMap((member, index) => {
    const errors = Array.isArray(member)
      ? ['a batch holds no batch']
      : validateMessage(schema.revision, member, context);
    return errors.map((error) => `[${index}] ${error}`);
  });
}

function validateObject(schema: OfficialSchema, message: Message, context: MessageContext): string[] {
  if ('method' in message) return validateCall(schema, message, context);
  if ('result' in message && 'error' in message) return ['a response holds a result or an error, not both'];
  if ('error' in message) return validateError(schema, message);
  if ('result' in message) return validateResult(schema, message, context.method);
  return ['a message has a method, a result or an error'];
}

function validateCall(schema: OfficialSchema, message: Message, { direction }: MessageContext): string[] {
  const kind = 'id' in message ? 'Request' : 'Notification';
  const envelope = schema.errors(`JSONRPC${kind}`, message);
  if (envelope.length > 0) return envelope;
  const definition = schema.definitionOf(String(message['method']), kind, direction);
  if (definition) return schema.errors(definition, message);
  return [`${schema.revision} has no ${direction} ${kind.toLowerCase()} '${String(message['method'])}'`];
}

function validateError(schema: OfficialSchema, message: Message): string[] {
  const definition = schema.firstOf('JSONRPCErrorResponse', 'JSONRPCError');
  // JSON-RPC 2.0 answers what it could not read with `id: null`; older schemas have no word for that, newer ones leave it out.
  const unread = definition === 'JSONRPCError' && message['id'] === null;
  return schema.errors(definition, unread ? { ...message, id: 0 } : message);
}

function validateResult(schema: OfficialSchema, message: Message, method: string | undefined): string[] {
  const envelope = schema.errors(schema.firstOf('JSONRPCResultResponse', 'JSONRPCResponse'), message);
  if (envelope.length > 0 || method === undefined) return envelope;
  const request = schema.definitionOf(method, 'Request', 'client') ?? schema.definitionOf(method, 'Request', 'server');
  if (!request) return [`${schema.revision} has no request '${method}' that this could answer`];
  const name = request.replace(/Request$/, '');
  if (schema.has(`${name}ResultResponse`)) return schema.errors(`${name}ResultResponse`, message);
  return schema.errors(schema.firstOf(`${name}Result`, 'EmptyResult'), message['result']);
}

function sentence(definition: string, { instancePath, message, params }: ErrorObject): string {
  return `${definition}${instancePath}: ${message ?? 'is invalid'} ${JSON.stringify(params)}`;
}
