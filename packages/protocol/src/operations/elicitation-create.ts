/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject, type JsonObject } from '../jsonrpc/message';
import {
  ELICIT_ACTIONS,
  type ChoiceField,
  type ChoicesField,
  type ElicitFormParams,
  type ElicitParams,
  type ElicitResult,
  type FormField,
  type FormSchema,
  type TitledValue,
} from '../model/server-requests';
import type { ClientCapabilities } from '../model/lifecycle';
import { formContentReader, type FormContentReader } from '../reading/read-form-content';
import { readObject, readOptionalObject, readOptionalString, readString, throwInvalid } from '../reading/read-members';
import { writerOrSame, type ServerOperation } from './operation';
import type { WireRules } from '../rules/wire-rules';

/** Asks the user to fill in a form, or to open a page. */
export const ELICITATION_CREATE: ServerOperation<'elicitation/create', ElicitParams, ElicitResult> = {
  method: 'elicitation/create',
  compile(wire) {
    const writeSchema = formWriter(wire.rules);
    const writeForm = writerOrSame('ElicitRequestFormParams', wire);
    const writeUrl = writerOrSame('ElicitRequestURLParams', wire);
    const readContent = formContentReader(wire.rules);
    const hasPages = wire.rules.fields.ElicitRequestURLParams !== undefined;
    return {
      missingCapabilities: (params, { elicitation }) =>
        missingElicitation(params, hasPages ? elicitation : elicitation && {}),
      writeParams: (params) =>
        params.mode === 'url'
          ? writeUrl(params)
          : writeForm({ ...params, requestedSchema: writeSchema(params.requestedSchema) }),
      readParams,
      writeResult: ({ action, content }) => (isObject(content) ? { action, content } : { action }),
      readResult: (result, params) =>
        params.mode === 'url'
          ? { action: readAction(result) }
          : readFormResult(result, readContent, params.requestedSchema),
    };
  },
};

/** Without a mode, a client that can be asked at all can be asked with a form. */
function missingElicitation(
  { mode }: ElicitParams,
  elicitation: ClientCapabilities['elicitation'],
): ClientCapabilities | undefined {
  if (mode === 'url') return elicitation?.url ? undefined : { elicitation: { url: {} } };
  if (!elicitation) return { elicitation: {} };
  return elicitation.form || !elicitation.url ? undefined : { elicitation: { form: {} } };
}

function readParams(params: JsonObject): ElicitParams {
  const message = readString(params, 'message', 'params');
  const mode = readOptionalString(params, 'mode', 'params');
  if (mode === 'url') {
    const elicitationId = readOptionalString(params, 'elicitationId', 'params') ?? '';
    return { mode, message, url: readString(params, 'url', 'params'), elicitationId };
  }
  if (mode !== undefined && mode !== 'form') return throwInvalid('params', 'mode', '"form" or "url"');
  const schema = readObject(params, 'requestedSchema', 'params');
  readObject(schema, 'properties', 'params.requestedSchema');
  return { mode: 'form', message, requestedSchema: asForm(schema) };
}

function asForm(schema: JsonObject): ElicitFormParams['requestedSchema'] {
  return schema as unknown as ElicitFormParams['requestedSchema']; // what a client shows; each field is looked at where it is shown
}

function readAction(result: JsonObject): ElicitResult['action'] {
  const action = ELICIT_ACTIONS.find((known) => known === result['action']);
  return action ?? throwInvalid('result', 'action', `one of ${ELICIT_ACTIONS.join(', ')}`);
}

function readFormResult(
  result: JsonObject,
  readContent: FormContentReader,
  form: Parameters<FormContentReader>[0],
): ElicitResult {
  const action = readAction(result);
  if (action !== 'accept') return { action };
  return { action, content: readContent(form, readOptionalObject(result, 'content', 'result') ?? {}) };
}

/** Compiles the writer of forms. If the revision knows every kind of field, there is nothing to translate. */
function formWriter({ formFields }: WireRules): (form: FormSchema) => JsonObject {
  return formFields === 'rich' ? asJsonObject : writePlainForm;
}

/** Only text, numbers, booleans and single choices; titles of values in `enumNames`; defaults only of booleans. */
function writePlainForm({ properties, ...form }: FormSchema): JsonObject {
  const fields = Object.entries(properties).map(([name, field]): [string, JsonObject] => [name, writePlain(field)]);
  return { ...form, properties: Object.fromEntries(fields) };
}

function writePlain(field: FormField): JsonObject {
  if (field.type === 'array') return writeChoices(field);
  if (field.type === 'boolean') return asJsonObject(field);
  const { default: _default, ...rest } = field;
  return 'oneOf' in rest ? writeTitled(rest) : asJsonObject(rest);
}

function writeTitled({ oneOf, ...rest }: Extract<ChoiceField, { readonly oneOf: unknown }>): JsonObject {
  return { ...rest, enum: oneOf.map(({ const: value }) => value), enumNames: oneOf.map(({ title }) => title) };
}

/** A choice of several values has no field there: it becomes a text field. */
function writeChoices({ title, description, items }: ChoicesField): JsonObject {
  const choices = 'enum' in items ? items.enum.join(', ') : items.anyOf.map(describeChoice).join(', ');
  const hint = `Separated by commas, any of: ${choices}`;
  return {
    type: 'string',
    ...(title !== undefined && { title }),
    description: description === undefined ? hint : `${description} (${hint})`,
  };
}

function describeChoice({ const: value, title }: TitledValue): string {
  return `${value} (${title})`;
}
