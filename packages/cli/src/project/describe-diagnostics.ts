/** Compiler errors as text: the position, the message, the line of code, and a fix if the message has none. */
import type { Diagnostic } from 'typescript';
import type { Styles } from '../terminal/styles';
import type { Compiler } from './load-typescript';
import { placeOf, showProblem, type SourceProblem } from './show-position';

/** Decorators that are made for methods. */
const FOR_METHODS = /^@?(Tool|Resource|Prompt|Complete|ListTemplate)\b/;

/** A decorator that is not called. */
const BARE = /^@?(Tool|Resource|Prompt|Complete|ListTemplate|Describe|Title|Inject|Scopes|UseGuards|UseInterceptors)$/;

/** The compiler calls a method decorator with three arguments only if `experimentalDecorators` is set. */
const STANDARD: Readonly<Record<number, RegExp>> = {
  1206: /./,
  1240: /Argument of type 'undefined'/,
  1241: /with 2 arguments/,
};

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
  const shown = problemsOf(typescript, diagnostics, folder).map((problem) => showProblem(problem, styles));
  const more = diagnostics.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n');
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

/**
 * The fix of a compiler error; undefined if its message says enough.
 * @param code of the compiler, such as 1240
 * @param marked the part of the source that the error is about
 */
function fixOfCompileError(code: number, message: string, marked: string): string | undefined {
  if (STANDARD[code]?.test(message) === true)
    return 'Put "experimentalDecorators": true and "emitDecoratorMetadata": true into the compilerOptions of tsconfig.json.';
  const [bare, name] = BARE.exec(marked) ?? [];
  if (bare !== undefined && (code === 1240 || code === 1241)) return `Call the decorator: @${name}(...).`;
  const [, forMethods] = FOR_METHODS.exec(marked) ?? [];
  if (forMethods !== undefined && code === 1240)
    return `@${forMethods}() belongs on a method. Write name() { ... } in place of name = () => { ... }.`;
  return undefined;
}
