/** The errors of this package for authors of classes and schemas, by code. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/base';
import { DTO_ERRORS } from './dto-errors';
import { SCHEMA_ERRORS } from './schema-errors';

const ERRORS = defineErrors({ ...DTO_ERRORS, ...SCHEMA_ERRORS });

/** A code of an error of this package. */
export type SchemaErrorCode = keyof typeof ERRORS.entries;

/** Makes the errors of this package: thrown, or as plain sentences. */
export const { error: schemaError, words: schemaWords } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Classes of arguments, results and forms',
    about:
      'Found together with the entry that uses the class; those of forms at the handler that names them (`asks`), otherwise when a form is used for the first time.',
    errors: DTO_ERRORS,
  },
  {
    title: 'Schemas as data',
    about: 'Found like those of classes.',
    errors: SCHEMA_ERRORS,
  },
];
