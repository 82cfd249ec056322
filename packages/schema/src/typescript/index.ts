/** JSON Schemas as TypeScript types. */
export { DeclaredTypes } from './declared-types';
export { SchemaTypes } from './schema-types';
export { indent, jsDoc, memberName, typeName, union } from './type-text';
