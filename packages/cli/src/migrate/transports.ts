/** The transports of a server of the old package. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from './moved-file';
import { nodesIn, valueOf } from './syntax';

/** Where a server is served. */
export interface Transports {
  readonly http: boolean;
  /** The transport of the oldest revision. */
  readonly sse: boolean;
  readonly stdio: boolean;
  /** The path that a transport names; undefined without one. */
  readonly endpoint?: TypeScript.Expression | undefined;
}

/** The transports that options name: members of an enumeration in version 1, instances in version 2. Undefined if they name none. */
export function transportsOf(file: MovedFile, literal: TypeScript.ObjectLiteralExpression): Transports | undefined {
  const old = valueOf(file, literal, 'transport');
  if (old) return byEnumeration(file, old);
  const now = valueOf(file, literal, 'transports');
  return now && byInstances(file, now);
}

function byEnumeration(file: MovedFile, node: TypeScript.Expression): Transports | undefined {
  const text = node.getText();
  const names = ['STREAMABLE_HTTP', 'SSE', 'STDIO'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  const isClear = /^[\w\s.,[\]]*$/.test(text) && (names.length > 0 || /^\[\s*\]$/.test(text));
  if (!isClear)
    file.todo(node, 'Write `stdio: true`, `http: false` or `http: { sse: true }` for its transports.', 'nest');
  return { http: names.includes('STREAMABLE_HTTP'), sse: names.includes('SSE'), stdio: names.includes('STDIO') };
}

function byInstances(file: MovedFile, node: TypeScript.Expression): Transports {
  const { compiler } = file;
  const named = nodesIn(file, node, compiler.isIdentifier).map(({ text }) => text);
  // A transport may be a constant of the file.
  const constants = nodesIn(file, file.tree, compiler.isVariableDeclaration)
    .filter(({ name }) => named.includes(name.getText()))
    .flatMap(({ initializer }) => initializer ?? []);
  const made = [node, ...constants].flatMap((each) => nodesIn(file, each, compiler.isNewExpression));
  const of = (name: string): TypeScript.NewExpression | undefined =>
    made.find(({ expression }) => file.old.exportedOf(expression) === name);
  const http = of('StreamableHttpTransport');
  const [options] = http?.arguments ?? [];
  const endpoint =
    options && compiler.isObjectLiteralExpression(options) ? valueOf(file, options, 'endpoint') : undefined;
  return { http: http !== undefined, sse: false, stdio: of('StdioTransport') !== undefined, endpoint };
}
