/** Compiler errors as text: the position, the message, the line of code, and a fix if the message has none. */
import type { Diagnostic } from 'typescript';
import type { Styles } from '../terminal/styles';
import { fixOfCompileError } from './compile-fixes';
import type { Compiler } from './load-typescript';
import { placeOf, showPosition, type SourceProblem } from './show-position';

/** The number of diagnostics that are shown; the others are counted. */
const SHOWN = 10;

/**
 * Describes diagnostics, one after the other, an empty line between them.
 * @param folder the base of the paths
 */
export function describeDiagnostics(
  typescript: Compiler,
  diagnostics: readonly Diagnostic[],
  { folder, styles }: { readonly folder: string; readonly styles: Styles },
): string {
  const shown = diagnostics.slice(0, SHOWN).map((one) => describeOne(typescript, one, folder, styles));
  const more = diagnostics.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n');
}

function describeOne(typescript: Compiler, diagnostic: Diagnostic, folder: string, styles: Styles): string {
  const { file, start, length = 1 } = diagnostic;
  const message = typescript.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  const text = `${message} ${styles.dim(`TS${diagnostic.code}`)}`;
  if (!file || start === undefined) return text;
  const shown = showPosition({ text: file.text, fileName: file.fileName, start, length }, text, { folder, styles });
  const fix = fixOfCompileError(diagnostic.code, message, file.text.slice(start, start + length));
  return fix === undefined ? shown : `${shown}\n${fix}`;
}

/** Compiler errors for a program that shows them itself. @param folder the base of the paths */
export function problemsOf(
  typescript: Compiler,
  diagnostics: readonly Diagnostic[],
  folder: string,
): readonly SourceProblem[] {
  return diagnostics.slice(0, SHOWN).map(({ file, start, length = 1, code, messageText }) => {
    const message = typescript.flattenDiagnosticMessageText(messageText, '\n');
    if (!file || start === undefined) return { message, code: `TS${code}`, rest: [] };
    const place = placeOf({ text: file.text, fileName: file.fileName, start, length }, folder);
    const fix = fixOfCompileError(code, message, file.text.slice(start, start + length));
    return { message, code: `TS${code}`, place, rest: fix === undefined ? [] : [fix] };
  });
}
