/** What the programs that a spec compiles have in common: declarations are read, parsed and bound once, and not again for each program. */
import ts from 'typescript';

/** Parsed files of declarations, by how they are read. */
export type Declarations = Map<string, ts.SourceFile | undefined>;

/**
 * The host of a program, which takes declarations from those before it.
 * @param declarations of programs with the same options, but for where their files are
 */
export function libraryHost(options: ts.CompilerOptions, declarations: Declarations): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile(name, how, ...others) {
      if (!/\.d\.[cm]?ts$/.test(name)) return host.getSourceFile(name, how, ...others);
      const key = `${name} ${JSON.stringify(how)}`;
      if (!declarations.has(key)) declarations.set(key, host.getSourceFile(name, how, ...others));
      return declarations.get(key);
    },
  };
}
