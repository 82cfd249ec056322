/** The style of a file: code that is added to it follows the same style. */

/** The style of a file. */
export interface CodeStyle {
  /** One step of indentation. */
  readonly indentation: string;
  readonly quote: "'" | '"';
  readonly semicolons: boolean;
  readonly lineEnd: '\n' | '\r\n';
}

/** The style of a file; defaults to that of our templates. */
export function styleOf(text: string): CodeStyle {
  const indented = /^([ \t]+)[^\s*]/m.exec(text)?.[1] ?? '  ';
  const doubles = count(text, /from "/g);
  const singles = count(text, /from '/g);
  const bare = count(text, /from ['"][^'"\n]*['"]\r?$/gm);
  const ended = count(text, /from ['"][^'"\n]*['"];\r?$/gm);
  return {
    indentation: indented,
    quote: doubles > singles ? '"' : "'",
    semicolons: ended >= bare,
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/**
 * @param code in our style: two spaces, single quotes only as delimiters of strings, semicolons
 * @returns the same code in another style
 */
export function inStyle(code: string, style: CodeStyle): string {
  return code
    .split('\n')
    .map((line) => {
      const rest = line.trimStart();
      const quoted = rest.replaceAll("'", style.quote);
      const ended = style.semicolons ? quoted : quoted.replace(/;$/, '');
      return style.indentation.repeat((line.length - rest.length) / 2) + ended;
    })
    .join(style.lineEnd);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
