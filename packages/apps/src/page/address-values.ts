/** The addresses that expressions of a script stand for, as far as the script itself says them. */

/** A node of any type. Its members depend on the type; only the parser knows them. */
export interface SyntaxNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  readonly [member: string]: unknown;
}

/** How far a variable is followed to another one. */
const DEPTH = 5;
/** A beginning that tells where the address leads: an origin that has ended, or a path. */
const TELLING = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]+[/?#]|data:|blob:|\.{0,2}\/(?!\/))/i;

/** The known beginning of a text. */
interface Beginning {
  readonly text: string;
  /** Whether nothing follows. */
  readonly isWhole: boolean;
}

const UNKNOWN: readonly Beginning[] = [];

/** The variables of one script that are texts. */
export class AddressValues {
  /** Scopes are not told apart: a name that is declared several times, as in minified scripts, is undefined. */
  readonly #variables = new Map<string, SyntaxNode | undefined>();

  constructor(tree: SyntaxNode) {
    for (const node of nodesOf(tree)) if (node.type === 'VariableDeclarator') this.#note(node);
  }

  /** The addresses of an expression: whole ones, and beginnings that tell the origin. */
  addressesOf(node: SyntaxNode): readonly string[] {
    const known = this.#beginningsOf(node, DEPTH).filter(({ text, isWhole }) => isWhole || TELLING.test(text));
    return known.map(({ text }) => text);
  }

  /** The whole text of an expression; undefined if the script does not say it. */
  textOf(node: SyntaxNode): string | undefined {
    const [first, ...others] = this.#beginningsOf(node, DEPTH);
    return first?.isWhole && others.length === 0 ? first.text : undefined;
  }

  #note(declarator: SyntaxNode): void {
    const [id, value] = [memberOf(declarator, 'id'), memberOf(declarator, 'init')];
    if (id?.type !== 'Identifier' || !value) return;
    const name = String(id['name']);
    this.#variables.set(name, this.#variables.has(name) ? undefined : value);
  }

  #beginningsOf(node: SyntaxNode | undefined, depth: number): readonly Beginning[] {
    if (!node || depth === 0) return UNKNOWN;
    const of = (member: string): readonly Beginning[] => this.#beginningsOf(memberOf(node, member), depth - 1);
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [{ text: node['value'], isWhole: true }] : UNKNOWN;
      case 'Identifier':
        return this.#beginningsOf(this.#variables.get(String(node['name'])), depth - 1);
      case 'TemplateLiteral':
        return [this.#beginningOfTemplate(node, depth)];
      case 'BinaryExpression':
        return node['operator'] === '+' ? of('left').map((left) => continued(left, of('right'))) : UNKNOWN;
      case 'LogicalExpression':
        return [...of('left'), ...of('right')];
      case 'ConditionalExpression':
        return [...of('consequent'), ...of('alternate')];
      case 'NewExpression':
        return this.#beginningsOfUrl(node, depth);
      default:
        return UNKNOWN;
    }
  }

  #beginningOfTemplate(node: SyntaxNode, depth: number): Beginning {
    const values = childrenOf(node, 'expressions');
    return childrenOf(node, 'quasis').reduce<Beginning>(
      (begun, quasi, index) => {
        const text = continued(begun, [{ text: cookedOf(quasi), isWhole: true }]);
        const value = values[index];
        return value ? continued(text, this.#beginningsOf(value, depth - 1)) : text;
      },
      { text: '', isWhole: true },
    );
  }

  /** `new URL(path, base)`: an address of the base, unless the path has an origin itself. */
  #beginningsOfUrl(node: SyntaxNode, depth: number): readonly Beginning[] {
    if (memberOf(node, 'callee')?.['name'] !== 'URL') return UNKNOWN;
    const [path, base] = childrenOf(node, 'arguments');
    const own = this.#beginningsOf(path, depth - 1);
    if (!base || own.some(({ text }) => TELLING.test(`${text}/`) && text.includes('://'))) return own;
    return this.#beginningsOf(base, depth - 1).map(({ text }) => ({ text: `${text}/`, isWhole: false }));
  }
}

/** A text with what follows; as far as that can only be one text. */
function continued(begun: Beginning, following: readonly Beginning[]): Beginning {
  const [next, ...others] = following;
  if (!begun.isWhole || !next || others.length > 0) return { ...begun, isWhole: false };
  return { text: begun.text + next.text, isWhole: next.isWhole };
}

function cookedOf(quasi: SyntaxNode): string {
  return (quasi['value'] as { readonly cooked?: string }).cooked ?? '';
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
