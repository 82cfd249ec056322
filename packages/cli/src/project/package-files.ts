/** What the compiler read of packages, for its next program: most files of a program are in packages, and few of them change. */
import { createHash } from 'node:crypto';
import type { CompilerHost, CompilerOptions, DocumentRegistry } from 'typescript';
import type { Compiler } from './load-typescript';

const OF_PACKAGE = /[\\/]node_modules[\\/]/;

/** The syntax trees of files in packages, by compiler. */
export class PackageFiles {
  readonly #registries = new Map<Compiler, DocumentRegistry>();

  /** A host that gives the tree of an unchanged file again. Its text is read each time. @param host is changed */
  keep<Host extends CompilerHost>(typescript: Compiler, options: CompilerOptions, host: Host): Host {
    const registry = this.#registries.get(typescript) ?? typescript.createDocumentRegistry();
    this.#registries.set(typescript, registry);
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (path, target, ...rest) => {
      const text = OF_PACKAGE.test(path) ? host.readFile(path) : undefined;
      if (text === undefined) return getSourceFile(path, target, ...rest);
      const snapshot = typescript.ScriptSnapshot.fromString(text);
      const version = createHash('sha256').update(text).digest('base64url');
      return registry.acquireDocument(path, options, snapshot, version, undefined, target);
    };
    return host;
  }
}
