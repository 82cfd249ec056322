/**
 * A form: the part of JSON Schema that clients can show to a user.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */

/** What every field of a form may have. */
interface FieldWords {
  /** The label. */
  readonly title?: string;
  readonly description?: string;
}

/** A line of text. */
export interface TextField extends FieldWords {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly default?: string;
}

/** A number. */
export interface NumberField extends FieldWords {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** Yes or no. */
export interface BooleanField extends FieldWords {
  readonly type: 'boolean';
  readonly default?: boolean;
}

/** A value to choose, and what a person reads in its place. */
export interface TitledValue {
  readonly const: string;
  readonly title: string;
}

/** One of several values: plain, with titles, or with titles as they were written before 2025-11-25. */
export type ChoiceField = FieldWords & {
  readonly type: 'string';
  readonly default?: string;
} & (
    | { readonly enum: readonly string[]; readonly enumNames?: readonly string[] }
    | { readonly oneOf: readonly TitledValue[] }
  );

/** Any of several values. */
export interface ChoicesField extends FieldWords {
  readonly type: 'array';
  readonly items:
    { readonly type: 'string'; readonly enum: readonly string[] } | { readonly anyOf: readonly TitledValue[] };
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** One field of a form. */
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A form: the flat part of JSON Schema that clients can show. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}
