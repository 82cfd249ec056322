/** The nodes of a syntax tree, as far as all of them are alike. */

/** A node of any type. Its members depend on the type; only the parser knows them. */
export interface SyntaxNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [member: string]: unknown;
}

/** The node in a member; undefined if it has none. */
export function memberOf(node: SyntaxNode, member: string): SyntaxNode | undefined {
  return isNode(node[member]) ? node[member] : undefined;
}

/** The nodes in a member that is a list. */
export function childrenOf(node: SyntaxNode, member: string): readonly SyntaxNode[] {
  const list: unknown = node[member];
  return Array.isArray(list) ? list.filter(isNode) : [];
}

/** A node and all nodes within it, in the order of the script. A loop and no recursion, because bundled scripts nest deeply. */
export function* nodesOf(root: SyntaxNode): Iterable<SyntaxNode> {
  const waiting: SyntaxNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    const children = Object.values(node).flat(1).filter(isNode);
    for (const child of children.reverse()) waiting.push(child);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}
