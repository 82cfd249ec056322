/** The comments above code that is left as it is, those of code that is replaced, and the lines of all notices. */
import type * as TypeScript from 'typescript';
import type { Edit } from './edits';
import { commentOf, type MovedFile, type Notice } from './moved-file';
import { indentationAt, nodesIn } from './syntax';

/** Writes a comment above each place that is to do by hand. */
export function writeComments(file: MovedFile): void {
  const { lineEnd } = file.source.style;
  for (const notice of file.notices) {
    if (notice.kind !== 'todo' || notice.isWritten) continue;
    const place = lineStart(file, notice.at);
    const indent = indentationAt(file.text, place);
    const comment = commentOf(notice);
    if (!commentsAbove(file.text, place).includes(comment)) file.edits.insert(place, `${indent}${comment}${lineEnd}`);
  }
}

/** The comments of an earlier run above a line. */
function commentsAbove(text: string, place: number): string[] {
  const lines = text
    .slice(0, place)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trim());
  return lines.slice(lines.findLastIndex((line) => !line.startsWith('// TODO(sigil)')) + 1);
}

/**
 * Writes the comments of code that was replaced, or taken out, above the line where it stood, unless what replaces it has them. A comment
 * that documented a declaration documents nothing there.
 */
export function keepComments(file: MovedFile): void {
  const { lineEnd } = file.source.style;
  const left = new Map<Edit, string>();
  for (const { pos, end } of commentsIn(file)) {
    const edit = file.edits.around(pos, end);
    if (!edit) continue;
    const comment = file.text.slice(pos, end);
    const others = left.get(edit) ?? edit.text;
    left.set(edit, others.replace(comment, ''));
    if (others.includes(comment)) continue;
    const place = lineStart(file, edit.start);
    const indent = indentationAt(file.text, place);
    file.edits.insert(place, `${indent}${comment.replace(/^\/\*\*(?!\/)/, '/*')}${lineEnd}`);
  }
}

/** All comments of a file, in the order of the text. */
function commentsIn({ compiler, text, tree }: MovedFile): TypeScript.CommentRange[] {
  const found = new Map<number, TypeScript.CommentRange>();
  const visit = (node: TypeScript.Node): void => {
    const ranges = [
      ...(compiler.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(compiler.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const range of ranges) found.set(range.pos, range);
    if (!compiler.isJSDoc(node)) node.getChildren(tree).forEach(visit);
  };
  tree.getChildren(tree).forEach(visit);
  return [...found.values()].sort((a, b) => a.pos - b.pos);
}

/** The start of the line of a position, outside of everything that is replaced, and of texts over several lines. */
function lineStart(file: MovedFile, at: number): number {
  const { compiler, tree } = file;
  const texts = nodesIn(file, tree, (node): node is TypeScript.Node => compiler.isTemplateLiteral(node));
  const outside = (position: number): number => {
    const around = texts.filter((text) => text.getStart() < position && position < text.getEnd());
    return file.edits.outside(Math.min(position, ...around.map((text) => text.getStart())));
  };
  let place = at;
  for (;;) {
    const start = file.text.lastIndexOf('\n', outside(place) - 1) + 1;
    const next = outside(start);
    if (next === start) return start;
    place = next;
  }
}

/** The line of each notice in the moved text, from 1, in the order of the text. */
export function linesOfNotices(file: MovedFile, text: string): { readonly notice: Notice; readonly line: number }[] {
  return file.notices
    .map((notice) => {
      if (notice.isWritten)
        return { notice, line: text.slice(0, text.indexOf(commentOf(notice))).split('\n').length + 1 };
      const at = Math.min(file.edits.moved(file.edits.outside(notice.at)), text.length);
      return { notice, line: text.slice(0, at).split('\n').length };
    })
    .sort((a, b) => a.line - b.line);
}
