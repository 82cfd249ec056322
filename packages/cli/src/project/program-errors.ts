/** The errors of a program that a developer has to fix first. */
import type { Diagnostic } from 'typescript';
import type { Compiler } from './load-typescript';

/** What the compiler can be asked, with a memory of its last run or without one. */
type Asked = Readonly<Record<Question, () => readonly Diagnostic[]>>;

type Question =
  | 'getConfigFileParsingDiagnostics'
  | 'getSyntacticDiagnostics'
  | 'getOptionsDiagnostics'
  | 'getGlobalDiagnostics'
  | 'getSemanticDiagnostics';

/** Each error once. While a text cannot be read, nothing is said about its types: most of it would follow from that. */
export function errorsOf(typescript: Compiler, program: Asked): readonly Diagnostic[] {
  const settings = program.getConfigFileParsingDiagnostics();
  const syntax = program.getSyntacticDiagnostics();
  const found = [...settings, ...syntax];
  if (syntax.length === 0) found.push(...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics());
  if (!found.some((each) => isError(typescript, each))) found.push(...program.getSemanticDiagnostics());
  return typescript.sortAndDeduplicateDiagnostics(found).filter((each) => isError(typescript, each));
}

function isError({ DiagnosticCategory }: Compiler, { category }: Diagnostic): boolean {
  return category === DiagnosticCategory.Error;
}
