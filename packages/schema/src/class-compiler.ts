/** Compiles the classes of one server. One file, which is loaded only when a class has to be compiled. */
import type { Class, ReportProblem } from '@sigil-mcp/base';
import type { InputShape, OutputShape } from './value-plan';
import { compileInput, compileOutput } from './compile-shapes';
import { DraftCache } from './plan/draft-cache';
import type { InputOptions } from './read/read-object';

export { compileInput, compileOutput };
export { hasRules } from './plan/dto-rules';

/** Compiles classes; properties with the same rules are planned once. */
export class ClassCompiler {
  readonly #known = { input: new DraftCache(), output: new DraftCache() };

  /** @param lenient whether problems that are not unsafe are warnings */
  constructor(private readonly lenient: boolean) {}

  /** @returns undefined if a problem was reported */
  input(dto: Class, options: InputOptions, report: ReportProblem, where: string): InputShape | undefined {
    // Spelled out, because a spread takes five times as long, for every class of a start.
    const { strings = false, coerce = false, form = false } = options;
    const known = this.#known.input;
    return compileInput(dto, { strings, coerce, form, known, lenient: this.lenient }, report, where);
  }

  /** @returns undefined if a problem was reported */
  output(dto: Class, report: ReportProblem, where: string): OutputShape | undefined {
    return compileOutput(dto, report, where, { known: this.#known.output, lenient: this.lenient });
  }
}
