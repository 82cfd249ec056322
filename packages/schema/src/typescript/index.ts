/** JSON Schemas as TypeScript types. */
export { DeclaredTypes, indent, jsDoc, memberName, SchemaTypes, typeName, union } from './schema-types';
