/** Compiles schemas that are not classes, and forms. One file, so that it is loaded only when needed. */
export { flatInput } from './flat/flat-input';
export { compileForm } from './forms/compile-form';
export { rawForm } from './forms/read-form';
export { RawSchemas } from './raw/raw-schema';
export { compileStandardInput, compileStandardOutput } from './standard/compile-standard';
export { compileStandardForm } from './standard/standard-form';
