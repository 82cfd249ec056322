/** A tool with a raw JSON Schema as its input, which is listed exactly as written here. */
import { Feature, Tool } from '@sigil-mcp/core';

/** Uses features that a class cannot express: anchors, references, conditions across properties. */
const CONTACT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** JSON Schema 2020-12 in full. */
@Feature()
export class SchemaTools {
  @Tool('Takes a contact, described by a JSON Schema 2020-12 with references and conditions', {
    name: 'json_schema_2020_12_tool',
    input: CONTACT_SCHEMA,
  })
  contact(input: object): string {
    return `The contact fits the schema: ${JSON.stringify(input)}`;
  }
}
