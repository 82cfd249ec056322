/** JSON Schemas as TypeScript types. */
export { DeclaredTypes } from './schema-types';
export { SchemaTypes } from './schema-types';
export { indent, jsDoc, memberName, typeName, union } from './schema-types';
