/**
 * The types of names in code, which the site shows while the pointer is on them. They come from the compiler: a block from a region of a
 * source file has the types of that file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../links.mjs';

const SNIPPET = /<!-- snippet: (\S+\.ts#\S+) -->/;

/** The most characters of a type: a longer one is cut. */
const LONGEST = 220;

/**
 * The first half: a plugin of markdown-it, which notes the region of each block, before tabs are made of the blocks. A page with
 * `types: false` in its front matter has no types: they would make a page of much code too large.
 */
export function typedBlocks(md) {
  md.core.ruler.after('block', 'typed-blocks', ({ tokens, env }) => {
    if (env.frontmatter?.types === false) return;
    for (const [index, fence] of tokens.entries()) {
      if (fence.type !== 'fence' || fence.info.trim() !== 'ts') continue;
      const source = SNIPPET.exec(tokens[index - 1]?.type === 'html_block' ? tokens[index - 1].content : '')?.[1];
      if (source !== undefined) fence.info = `ts types:${source}`;
    }
  });
}

/** The second half: a transformer of shiki, which splits the words of a line and gives each name its type. */
export const types = {
  name: 'types',
  tokens(lines) {
    const [, source] = /types:(\S+)/.exec(this.options.meta?.__raw ?? '') ?? [];
    if (source === undefined) return lines;
    const places = placesIn(this.source, typedNames(source));
    let start = 0;
    return lines.map((line) => {
      const split = line.flatMap((token) => {
        const parts = splitAt(token, start, places);
        start += token.content.length;
        return parts;
      });
      start += 1; // the line end
      return split;
    });
  },
};

function splitAt(token, start, places) {
  const end = start + token.content.length;
  const inside = places.filter((place) => place.start >= start && place.end <= end);
  const parts = [];
  let at = start;
  const take = (until, attributes) => {
    if (until > at) parts.push({ ...token, content: token.content.slice(at - start, until - start), ...attributes });
    at = until;
  };
  for (const place of inside) {
    take(place.start);
    take(place.end, { htmlAttrs: { ...token.htmlAttrs, 'data-type': place.type } });
  }
  take(end);
  return parts;
}

/** Where names stand in code that may be formatted otherwise than the source, but has the same names in the same order. */
function placesIn(code, names) {
  const masked = withoutTexts(code);
  const places = [];
  let from = 0;
  for (const { name, type } of names) {
    const found = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
    found.lastIndex = from;
    const match = found.exec(masked);
    if (!match) continue;
    from = match.index + name.length;
    if (type !== undefined) places.push({ start: match.index, end: from, type });
  }
  return places;
}

/** The code with blanks instead of texts and comments, which may have the same words as names. */
function withoutTexts(code) {
  const blank = (text) => text.replace(/[^\n]/g, ' ');
  return code
    .replace(/\/\*[\s\S]*?\*\/|(?<![:'"\w])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, blank)
    .replace(/`(?:\\.|[^`\\])*`/g, (text) =>
      text
        .split(/(\$\{[^{}]*\})/)
        .map((part, index) => (index % 2 === 1 ? part : blank(part)))
        .join(''),
    );
}

const known = new Map();

/** Every name of a region in its order, with its type if it is worth showing. */
function typedNames(source) {
  if (!known.has(source)) known.set(source, readNames(source));
  return known.get(source);
}

function readNames(source) {
  const [path, region] = source.split('#');
  const file = join(root, path);
  const service = languageService(file);
  const tree = service.getProgram().getSourceFile(file);
  const start = tree.text.indexOf(`// #region ${region}\n`);
  const end = tree.text.indexOf(`// #endregion ${region}\n`);
  const names = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && node.getStart(tree) > start && node.getEnd() < end) {
      names.push({ at: node.getStart(tree), name: node.text, type: typeOf(service, file, node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names.sort((one, other) => one.at - other.at);
}

function typeOf(service, file, node) {
  if (isPlain(node) || isOfLibrary(service.getProgram().getTypeChecker(), node)) return undefined;
  const info = service.getQuickInfoAtPosition(file, node.getStart());
  const text = ts.displayPartsToString(info?.displayParts).replace(/\s+/g, ' ').trim();
  if (text === '' || /^(class|interface|enum) \w+$/.test(text)) return undefined;
  const plain = text.replace(/^\(alias\) /, '').replace(/ import \w+$/, '');
  const short = plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`;
  // The search of the site looks for the end of a tag without regard to quotes. theme/types.mjs reverses this.
  return short.replaceAll('<', '‹').replaceAll('>', '›');
}

/** Names whose line says everything: of a class, of a property with its type, of a value in an object. */
function isPlain({ parent }) {
  return ts.isClassDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent);
}

/** The pages are about Sigil: the names of zod, class-validator and the language have documentation of their own. */
function isOfLibrary(checker, node) {
  const symbol = checker.getSymbolAtLocation(node);
  const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return own?.declarations?.every((each) => /\/node_modules\//.test(each.getSourceFile().fileName)) ?? true;
}

const opened = new Set();
let service;

/** One compiler for all files: each file that is added later makes a new program. */
function languageService(file) {
  if (service === undefined) for (const each of namedSources()) opened.add(each);
  opened.add(file);
  service ??= ts.createLanguageService(hostOf(settings()));
  return service;
}

/** The sources of all regions that the pages show. */
function namedSources() {
  const docs = join(root, 'docs');
  const pages = readdirSync(docs, { recursive: true }).filter((name) => /^(?!node_modules|\.).*\.md$/.test(name));
  const found = pages.flatMap((name) => [...readFileSync(join(docs, name), 'utf8').matchAll(new RegExp(SNIPPET, 'g'))]);
  return found.map(([, source]) => join(root, source.split('#')[0])).filter((path) => existsSync(path));
}

function settings() {
  const path = join(root, 'tsconfig.test.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return {
    ...ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, dirname(path)).options,
    noEmit: true,
  };
}

function hostOf(options) {
  return {
    // Sources do not change on the way; otherwise each question looks at the versions of all files.
    getProjectVersion: () => String(opened.size),
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...opened],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) =>
      ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
}
