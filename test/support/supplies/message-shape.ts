/** What can be said of a message without the official schemas: the envelope of JSON-RPC 2.0, as every revision has it. */

/** A JSON object. */
export type Message = Readonly<Record<string, unknown>>;

/** What is wrong with the envelope of a message or a batch; an empty list means that nothing is. */
export function messageShapeErrors(message: unknown): string[] {
  if (!Array.isArray(message)) return envelopeErrors(message);
  if (message.length === 0) return ['a batch is not empty'];
  return message.flatMap((member, index) => {
    const errors = Array.isArray(member) ? ['a batch holds no batch'] : envelopeErrors(member);
    return errors.map((error) => `[${index}] ${error}`);
  });
}

function envelopeErrors(message: unknown): string[] {
  if (!isObject(message)) return ['a message is a JSON object'];
  const kind = 'method' in message ? callErrors(message) : responseErrors(message);
  return message['jsonrpc'] === '2.0' ? kind : ['jsonrpc is "2.0"', ...kind];
}

function callErrors({ method, params, id, ...rest }: Message): string[] {
  return [
    ...(typeof method === 'string' ? [] : ['method is a string']),
    ...(params === undefined || isObject(params) ? [] : ['params is an object']),
    ...(id === undefined || isId(id) ? [] : ['id is a string or an integer']),
    ...('result' in rest || 'error' in rest ? ['a call is no response'] : []),
  ];
}

function responseErrors(message: Message): string[] {
  const { id, result, error } = message;
  if ('result' in message && 'error' in message) return ['a response holds a result or an error, not both'];
  if ('result' in message)
    return [
      ...(isId(id) ? [] : ['id is a string or an integer']),
      ...(isObject(result) ? [] : ['result is an object']),
    ];
  if (!('error' in message)) return ['a message has a method, a result or an error'];
  // Only what could not be read is answered without an id, or with null in its place.
  const isAnswer = id === undefined || id === null || isId(id);
  return [...(isAnswer ? [] : ['id is a string, an integer or null']), ...errorErrors(error)];
}

function errorErrors(error: unknown): string[] {
  if (!isObject(error)) return ['error is an object'];
  return [
    ...(Number.isInteger(error['code']) ? [] : ['error.code is an integer']),
    ...(typeof error['message'] === 'string' ? [] : ['error.message is a string']),
  ];
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isInteger(id);
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
