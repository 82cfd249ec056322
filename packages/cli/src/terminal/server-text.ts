/** Texts of servers in the lines of a report, and in Markdown, as in a comment of a pull request. */
import { visibleLine } from '@sigil-mcp/base';

/** A text without line ends, so that no server writes a line of its own into a report. */
export function oneLine(text: string): string {
  return visibleLine(text.replace(/[\s\u0085]+/g, ' '));
}

/** A text in one line that is no markup: it has no links, pictures or code, ends no cell of a table, and mentions nobody. */
export function plainMarkdown(text: string): string {
  return (
    oneLine(text)
      .replace(/[\\`*_{}[\]<>|#~!&]/g, String.raw`\$&`)
      // Mentions and bare addresses are read through escapes.
      .replaceAll('@', '@<!-- -->')
      .replace(/:(?=\/\/)/g, '&#58;')
      .replace(/\bwww\./gi, (start) => start.replace('.', '&#46;'))
  );
}
