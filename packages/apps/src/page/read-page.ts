/** Reads the HTML of a view as browsers do, with everything that is to be checked about it. */
import { html as words, parse, type DefaultTreeAdapterTypes, type ParserError, type Token } from 'parse5';
import type { HtmlPage, PageFindings, LoadKind, PageLoad } from './page';
import { readScript, styleLoads } from './script-loads';
import { isObject, parseJson } from '@sigil-mcp/base';

/** The import map of one page. Its scopes are not read: they say the same for a part of the scripts. */
class ImportMap {
  readonly #imports: ReadonlyMap<string, string>;

  /** @param text its JSON; a map that is malformed is empty */
  constructor(text: string) {
    this.#imports = new Map(importsIn(text));
  }

  /** A load with the address that its name stands for; every other load as it is. */
  resolve(load: PageLoad): PageLoad {
    if (load.by !== 'import') return load;
    const whole = this.#imports.get(load.url);
    return { ...load, url: whole ?? this.#withPrefix(load.url) ?? load.url };
  }

  /** A name with a slash at its end stands for the beginning of many: the longest counts. */
  #withPrefix(url: string): string | undefined {
    const fitting = [...this.#imports].filter(([name]) => name.endsWith('/') && url.startsWith(name));
    const [longest] = fitting.sort(([one], [other]) => other.length - one.length);
    return longest && longest[1] + url.slice(longest[0].length);
  }
}

/** Element and attribute -> the list of the policy that must name the address. */
const LOADS: Readonly<Record<string, Readonly<Record<string, LoadKind>>>> = {
  // `href` in SVG.
  script: { src: 'resource', href: 'resource' },
  img: { src: 'resource', srcset: 'resource' },
  source: { src: 'resource', srcset: 'resource' },
  video: { src: 'resource', poster: 'resource' },
  audio: { src: 'resource' },
  track: { src: 'resource' },
  input: { src: 'resource' },
  image: { href: 'resource' },
  use: { href: 'resource' },
  feimage: { href: 'resource' },
  iframe: { src: 'frame' },
  base: { href: 'base' },
  // Hosts have no list for plugins, and block them by default.
  object: { data: 'never' },
  embed: { src: 'never' },
};

/** Links that browsers load; others lead somewhere, or only prepare a connection. */
const LOADED_LINK = /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|preload|modulepreload)(?:\s|$)/i;

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const START = { startLine: 1, startCol: 1 };
const SCRIPT_TYPE = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)?$/i;

/** Reads a page. Does not throw, regardless of its content. */
export function readPage(html: string): HtmlPage {
  const findings: PageFindings = { faults: [], loads: [], calls: [], words: new Set() };
  const note = ({ code, startLine, startCol }: ParserError): void =>
    void findings.faults.push({ fault: faultOf(code), line: startLine, column: startCol });
  const document = parse(html, { sourceCodeLocationInfo: true, onParseError: note });
  checkWhole(document, html, findings);
  for (const element of elementsOf(document)) readElement(element, findings);
  const imports = importMapOf(document);
  return { ...findings, loads: findings.loads.map((load) => imports.resolve(load)) };
}

/** Browsers use the first import map of a page, which says what the names in its imports stand for. */
function importMapOf(document: Parent): ImportMap {
  for (const element of elementsOf(document))
    if (element.tagName === 'script' && /^importmap$/i.test(attributeOf(element, 'type').trim()))
      return new ImportMap(textOf(element));
  return new ImportMap('');
}

/** A page that was cut off has no end tag: HTML does not require one, but nothing else tells that the whole file was read. */
function checkWhole(document: DefaultTreeAdapterTypes.Document, text: string, { faults }: PageFindings): void {
  const doctype = document.childNodes.find((node) => node.nodeName === '#documentType');
  if (doctype && (document.mode !== words.DOCUMENT_MODE.NO_QUIRKS || isOldDoctype(doctype)))
    faults.push({ fault: 'the doctype is not <!doctype html>', line: 1, column: 1 });
  const root = document.childNodes.find((node) => node.nodeName === 'html') as Element | undefined;
  const place = root?.sourceCodeLocation;
  if (!place?.startTag) faults.push({ fault: 'there is no <html> tag', line: 1, column: 1 });
  if (!place?.endTag) {
    const lines = text.split('\n');
    faults.push({
      fault: 'there is no </html> at the end',
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
    });
  }
}

function isOldDoctype(node: DefaultTreeAdapterTypes.ChildNode): boolean {
  return 'publicId' in node && node.publicId !== '';
}

/** `eof-in-tag` in words. */
function faultOf(code: string): string {
  return code.replaceAll('-', ' ').replace(/^eof\b|\beof\b/g, 'end of file');
}

/** All elements, in the order of the page; a loop and no recursion, because pages can nest deeply. */
function* elementsOf(root: Parent): Iterable<Element> {
  const waiting: DefaultTreeAdapterTypes.Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) yield node;
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of [...node.childNodes].reverse()) waiting.push(child);
  }
}

function readElement(element: Element, findings: PageFindings): void {
  const { tagName, attrs } = element;
  for (const each of attrs) readAttribute(element, each, attributeOf(element, 'rel'), findings);
  const at = textPlaceOf(element);
  const text = textOf(element);
  if (tagName === 'style') readStyle(text, at.startLine, '<style>', findings);
  const type = attributeOf(element, 'type').trim();
  if (tagName !== 'script' || attrs.some(({ name }) => name === 'src') || !SCRIPT_TYPE.test(type)) return;
  const isModule = type.toLowerCase() === 'module';
  readScript({ code: text, isModule, line: at.startLine, column: at.startCol }, findings);
}

function readAttribute(element: Element, { name, value }: Token.Attribute, rel: string, findings: PageFindings): void {
  const { startLine, startCol } = element.sourceCodeLocation?.attrs?.[name] ?? element.sourceCodeLocation ?? START;
  if (name === 'style') readStyle(value, startLine, 'style=""', findings);
  if (name === 'srcdoc' && element.tagName === 'iframe') readFrame(value, startLine, findings);
  if (/^on[a-z]+$/.test(name))
    readScript({ code: value, isModule: false, line: startLine, column: startCol }, findings);
  const kind = kindOfAttribute(element.tagName, name, rel);
  if (!kind) return;
  const by = `<${element.tagName} ${name}>`;
  for (const url of addressesOf(name, value)) findings.loads.push({ kind, url, by, line: startLine });
}

/** A page within the page is under the same policy. */
function readFrame(html: string, startLine: number, { loads }: PageFindings): void {
  const within = readPage(html);
  for (const load of within.loads) loads.push({ ...load, by: `${load.by} in srcdoc`, line: startLine + load.line - 1 });
}

function attributeOf({ attrs }: Element, name: string): string {
  return attrs.find((each) => each.name === name)?.value ?? '';
}

function readStyle(css: string, startLine: number, place: string, { loads }: PageFindings): void {
  for (const { url, at, by } of styleLoads(css))
    loads.push({
      kind: 'resource',
      url,
      by: `${by} in ${place}`,
      line: startLine + css.slice(0, at).split('\n').length - 1,
    });
}

/** Where the text of an element begins: behind its start tag. */
function textPlaceOf({ childNodes: [first], sourceCodeLocation }: Element): { startLine: number; startCol: number } {
  return first?.sourceCodeLocation ?? sourceCodeLocation ?? START;
}

function textOf({ childNodes }: Element): string {
  return childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

/** The directive for an attribute of an element; undefined if browsers load nothing for it. @param rel of a link */
function kindOfAttribute(element: string, attribute: string, rel: string): LoadKind | undefined {
  if (element === 'link')
    return (attribute === 'href' || attribute === 'imagesrcset') && LOADED_LINK.test(rel) ? 'resource' : undefined;
  const attributes = Object.hasOwn(LOADS, element.toLowerCase()) ? LOADS[element.toLowerCase()] : undefined;
  return attributes && Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
}

/** The addresses in an attribute: `srcset` has several, each with a size. */
function addressesOf(attribute: string, value: string): readonly string[] {
  if (!attribute.endsWith('srcset')) return [value.trim()];
  return [...value.matchAll(/([^\s,]\S*)(?:(?<=,)|[^,]*)/g)].map(([, address = '']) =>
    address.replace(/(?<!,),+$/, ''),
  );
}

function importsIn(text: string): (readonly [string, string])[] {
  const map = parseJson(text);
  const imports = isObject(map) ? map['imports'] : undefined;
  if (!isObject(imports)) return [];
  return Object.entries(imports).flatMap(([name, to]) => (typeof to === 'string' ? [[name, to] as const] : []));
}
