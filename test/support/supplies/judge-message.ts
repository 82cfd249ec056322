/**
 * Judges a message that travelled: by what JSON-RPC and every revision want of it and, where the official schemas are there, by
 * the schema of its revision.
 */
import { messageShapeErrors, type Message } from './message-shape';
import { loadSchemas, type OfficialSchema } from './official-schema';
import { isSupplied } from './supply';

/** What a message cannot say of itself: who wrote it and, for a response, the method of the request that it answers. */
export interface MessageContext {
  direction: 'client' | 'server';
  method?: string;
}

/**
 * What is wrong with a message; an empty list means that nothing is. The envelope is judged on every machine; the typed request or
 * notification and (with `context.method`) the typed result need the official schemas. A batch is judged member by member.
 */
export function validateMessage(
  revision: string,
  message: unknown,
  context: MessageContext = { direction: 'server' },
): string[] {
  const misshapen = messageShapeErrors(message);
  if (misshapen.length > 0) return misshapen;
  const schemas = loadSchemas();
  // Says so where they must not be missing.
  if (!schemas) return isSupplied('official-schemas') ? ['the official schemas went away'] : [];
  const schema = schemas.get(revision);
  if (!schema) return [`there is no schema for revision ${revision}`];
  if (Array.isArray(message)) return validateBatch(schema, message, context);
  return validateObject(schema, message as Message, context);
}

function validateBatch(schema: OfficialSchema, batch: unknown[], context: MessageContext): string[] {
  if (!schema.has('JSONRPCBatchRequest')) return [`${schema.revision} has no batches`];
  if (batch.length === 0) return ['a batch is not empty'];
  return batch.flatMap((member, index) => {
    const errors = Array.isArray(member)
      ? ['a batch holds no batch']
      : validateObject(schema, member as Message, context);
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
