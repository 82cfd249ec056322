/** Loads the compilers of classes on demand: a bundle with stored shapes compiles a class when it is first called. */
import type * as Compiler from './class-compiler';

/** Gives the compilers. */
export function loadCompiler(): typeof Compiler {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only when needed, and synchronously
  return require('./class-compiler') as typeof Compiler;
}
