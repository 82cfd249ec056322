/**
 * What a script loads and calls, found in its syntax tree: addresses that are written at the place of their use, or in a variable of the
 * script that is used there. Addresses that a script computes from data are not found.
 */
import { parse, type Node, type Options } from 'acorn';
import type { LoadKind, PageFindings } from './page';
import { AddressValues, childrenOf, memberOf, nodesOf, type SyntaxNode } from './address-values';

/** An address in a text. */
interface FoundAddress {
  readonly url: string;
  /** Its place in the text, from 0. */
  readonly at: number;
  /** `url()`, `@import` or `image-set()`. */
  readonly by: string;
}

const COMMENTS = /\/\*[^]*?(?:\*\/|$)/g;

const ADDRESS =
  /(?:@import\s+)?url\(\s*(?:(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*)?\)|@import\s+(?:"([^"]*)"|'([^']*)')/gi;

/** The pictures that a browser chooses from: texts, or `url(...)`, which is found by itself. */
const IMAGE_SET = /image-set\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*\)/gi;

const TEXT_IN_SET = /\([^()]*\)|"([^"]*)"|'([^']*)'/g;

/** A script within a page. */
export interface ScriptText {
  readonly code: string;
  readonly isModule: boolean;
  /** The line of the page in which it begins, from 1. */
  readonly line: number;
  /** The column of its first character, from 1. */
  readonly column: number;
}

/** Functions and classes whose first argument is an address. */
const TAKES_ADDRESS: Readonly<Record<string, LoadKind>> = {
  fetch: 'connect',
  WebSocket: 'connect',
  EventSource: 'connect',
  sendBeacon: 'connect',
  Worker: 'resource',
  SharedWorker: 'resource',
  importScripts: 'resource',
  Audio: 'resource',
};
/** The names of methods that call a tool; `call` only in a script that connects with our bridge, because functions have one, too. */
const CALLS_TOOL: ReadonlySet<string> = new Set(['callTool', 'callServerTool']);
const BRIDGE = /\bconnectView\b/;
const HTTP_METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;

/** Reads one script; what it contains, or why it cannot be parsed, is added to the findings of the page. */
export function readScript(script: ScriptText, findings: PageFindings): void {
  const tree = parseScript(script, findings);
  if (tree) new ScriptReading(script, tree, findings).read();
}

function parseScript({ code, isModule, line, column }: ScriptText, { faults }: PageFindings): SyntaxNode | undefined {
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType: isModule ? 'module' : 'script',
    // Attributes such as `onclick` are bodies of functions.
    allowReturnOutsideFunction: true,
    locations: true,
  };
  try {
    // The tree of a script that was parsed, with members that the type `Node` does not know.
    return parse(code, options) as Node as unknown as SyntaxNode;
  } catch (error) {
    if (error instanceof RangeError) {
      // The parser calls itself for what is nested.
      faults.push({ fault: 'the script is nested too deeply to be read', line, column });
      return undefined;
    }
    if (!(error instanceof SyntaxError)) throw error;
    const at =
      'loc' in error ? (error.loc as { readonly line: number; readonly column: number }) : { line: 1, column: 0 };
    const isFirst = at.line === 1;
    faults.push({
      fault: `the script has a syntax error: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`,
      line: line + at.line - 1,
      column: isFirst ? column + at.column : at.column + 1,
    });
    return undefined;
  }
}

class ScriptReading {
  readonly #values: AddressValues;

  constructor(
    private readonly script: ScriptText,
    private readonly tree: SyntaxNode,
    private readonly findings: PageFindings,
  ) {
    this.#values = new AddressValues(tree);
  }

  read(): void {
    for (const node of nodesOf(this.tree)) this.#readNode(node);
  }

  #readNode(node: SyntaxNode): void {
    switch (node.type) {
      case 'Literal':
        if (typeof node['value'] === 'string') this.findings.words.add(node['value']);
        break;
      case 'TemplateElement':
        this.findings.words.add(String((node['value'] as { readonly cooked?: string }).cooked ?? ''));
        break;
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
        this.#load('resource', memberOf(node, 'source'), 'import');
        break;
      case 'CallExpression':
      case 'NewExpression':
        this.#readCall(node);
        break;
      case 'AssignmentExpression':
        this.#readAssignment(memberOf(node, 'left'), memberOf(node, 'right'));
        break;
      default:
    }
  }

  #readCall(node: SyntaxNode): void {
    const name = nameOf(memberOf(node, 'callee')) ?? '';
    const [first, second] = childrenOf(node, 'arguments');
    const kind = Object.hasOwn(TAKES_ADDRESS, name) ? TAKES_ADDRESS[name] : undefined;
    if (kind) this.#load(kind, first, node.type === 'NewExpression' ? `new ${name}()` : `${name}()`);
    else if (name === 'open' && HTTP_METHOD.test(this.#text(first))) this.#load('connect', second, 'XMLHttpRequest');
    else if (name === 'setAttribute' && this.#text(first) === 'src') this.#load('resource', second, 'setAttribute()');
    else if (name === 'FontFace') this.#loadStyle(second, 'new FontFace()');
    else if (CALLS_TOOL.has(name) || (name === 'call' && BRIDGE.test(this.script.code))) this.#call(first);
  }

  #load(kind: LoadKind, node: SyntaxNode | undefined, by: string): void {
    if (!node) return;
    const line = this.#lineOf(node);
    for (const url of this.#values.addressesOf(node)) this.findings.loads.push({ kind, url, by, line });
  }

  #readAssignment(left: SyntaxNode | undefined, right: SyntaxNode | undefined): void {
    const name = nameOf(left);
    if (name === 'src') this.#load('resource', right, '.src =');
    else if (name !== undefined && nameOf(left && memberOf(left, 'object')) === 'style')
      this.#loadStyle(right, `.style.${name} =`);
  }

  #loadStyle(node: SyntaxNode | undefined, by: string): void {
    if (!node) return;
    const line = this.#lineOf(node);
    for (const { url } of styleLoads(this.#text(node))) this.findings.loads.push({ kind: 'resource', url, by, line });
  }

  #call(node: SyntaxNode | undefined): void {
    const named = node?.type === 'ObjectExpression' ? propertyOf(node, 'name') : node;
    const tool = this.#text(named);
    if (named && tool !== '') this.findings.calls.push({ tool, line: this.#lineOf(named) });
  }

  #text(node: SyntaxNode | undefined): string {
    return (node && this.#values.textOf(node)) ?? '';
  }

  #lineOf({ loc }: SyntaxNode): number {
    return this.script.line + loc.start.line - 1;
  }
}

/** The last name of `fetch`, `window.fetch` or `navigator.sendBeacon`. */
function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node['name']);
  return node?.type === 'MemberExpression' && node['computed'] === false
    ? nameOf(memberOf(node, 'property'))
    : undefined;
}

function propertyOf(node: SyntaxNode, name: string): SyntaxNode | undefined {
  const found = childrenOf(node, 'properties').find((property) => {
    const key = memberOf(property, 'key');
    return nameOf(key) === name || key?.['value'] === name;
  });
  return found && memberOf(found, 'value');
}

/** Finds `url(...)`, `@import` and `image-set(...)` in the text of a style sheet or a style attribute. */
export function styleLoads(css: string): readonly FoundAddress[] {
  // Blanks instead of comments, so that the places stay right.
  const text = css.replace(COMMENTS, (comment) => comment.replace(/[^\n]/g, ' '));
  const inSets = [...text.matchAll(IMAGE_SET)].flatMap((set) => addressesOfSet(set[0], set.index));
  const others = [...text.matchAll(ADDRESS)].flatMap((found) => {
    const [all, ...addresses] = found;
    const url = addresses.find((address) => typeof address === 'string');
    if (url === undefined || url === '') return [];
    return [{ url, at: found.index, by: all.startsWith('@') ? '@import' : 'url()' }];
  });
  return [...others, ...inSets];
}

function addressesOfSet(set: string, start: number): FoundAddress[] {
  const begin = set.indexOf('(') + 1;
  return [...set.slice(begin).matchAll(TEXT_IN_SET)].flatMap(({ 1: double, 2: single, index }) => {
    const url = double ?? single ?? '';
    return url === '' ? [] : [{ url, at: start + begin + index, by: 'image-set()' }];
  });
}
