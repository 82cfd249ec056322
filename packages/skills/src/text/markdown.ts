/** What is read of Markdown: the code within lines, and the targets of links. Blocks of code are left out. */

/** A piece of a text, with its place. */
export interface MarkdownPiece {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The pieces of a text. */
export interface MarkdownPieces {
  /** Between backticks, within a line. */
  readonly code: readonly MarkdownPiece[];
  /** Targets of links and pictures. */
  readonly links: readonly MarkdownPiece[];
}

/** The beginning of a block of code, also within a list or a quotation. */
const FENCE = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,}(?!~))([^`]*)$/;
const LINK = /!?\[[^[\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g;

/** Longer lines are not prose. */
const LONGEST_LINE = 10_000;

/** Reads Markdown line by line. @param firstLine the number of its first line */
export function readMarkdown(markdown: string, firstLine: number): MarkdownPieces {
  const code: MarkdownPiece[] = [];
  const links: MarkdownPiece[] = [];
  let fence: string | undefined;
  for (const [index, content] of markdown.split(/\r?\n/).entries()) {
    const line = firstLine + index;
    const opening = FENCE.exec(content)?.[1];
    if (fence !== undefined) {
      if (opening?.startsWith(fence) && content.trim().replace(/^>\s*/, '') === opening) fence = undefined;
      continue;
    }
    if (opening !== undefined) {
      fence = opening;
      continue;
    }
    if (content.length > LONGEST_LINE) continue;
    const { spans, rest } = splitLine(content);
    for (const { text, column } of spans) code.push({ text, line, column });
    for (const match of rest.matchAll(LINK)) links.push({ text: match[1] ?? '', line, column: match.index + 1 });
  }
  return { code, links };
}

interface SplitLine {
  readonly spans: readonly { readonly text: string; readonly column: number }[];
  /** The line with spaces in place of code, so that columns stay. */
  readonly rest: string;
}

/** The code within a line begins and ends with the same number of backticks. */
function splitLine(content: string): SplitLine {
  const runs = [...content.matchAll(/`+/g)];
  const spans: { text: string; column: number }[] = [];
  let rest = content;
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at];
    const end = open ? runs.findIndex((run, index) => index > at && run[0] === open[0]) : -1;
    const close = runs[end];
    if (!open || !close) continue;
    const from = open.index + open[0].length;
    spans.push({ text: content.slice(from, close.index).trim(), column: from + 1 });
    rest = rest.slice(0, from) + ' '.repeat(close.index - from) + rest.slice(close.index);
    at = end;
  }
  return { spans, rest };
}
