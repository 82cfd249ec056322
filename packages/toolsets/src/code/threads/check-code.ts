/** TypeScript checks a script and turns it into JavaScript. Of files, it sees its own libraries alone. */
import { dirname, join } from 'node:path';
import type * as typescript from 'typescript';
import type { CheckAnswer, CheckRequest, CodeProblem } from './messages';

type TypeScriptApi = typeof typescript;

const [API, SCRIPT] = ['/api.d.ts', '/script.ts'];
/** Before the code: the script is the body of a function, so that it may await and return. */
const HEAD = 'async function script(): Promise<any> {\n';
/** Problems that are answered. */
const MOST_PROBLEMS = 20;
/** Characters of one of them. */
const LONGEST_PROBLEM = 600;
/** Declarations that are kept, of as many audiences. */
const MOST_APIS = 8;

/** Checks one script after the other. */
export class CodeChecker {
  readonly #options: typescript.CompilerOptions;
  readonly #libraries: string;
  /** The libraries by their paths, read once. */
  readonly #files = new Map<string, typescript.SourceFile | undefined>();
  readonly #apis = new Map<string, typescript.SourceFile>();
  #program: typescript.Program | undefined;

  constructor(private readonly ts: TypeScriptApi) {
    this.#libraries = dirname(ts.getDefaultLibFilePath({}));
    this.#options = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2022.d.ts'],
      types: [],
      strict: true,
      useUnknownInCatchVariables: false,
      skipLibCheck: true,
    };
  }

  check({ id, code, api }: CheckRequest): CheckAnswer {
    const { ts } = this;
    const text = `${HEAD}${code}\n}\n`;
    const script = ts.createSourceFile(SCRIPT, text, ts.ScriptTarget.ES2022, true);
    const program = ts.createProgram({
      rootNames: [API, SCRIPT],
      options: this.#options,
      host: this.#hostOf(script, this.#apiOf(api)),
      ...(this.#program && { oldProgram: this.#program }),
    });
    this.#program = program;
    const problems = [...suppressions(script), ...this.#problems(program, script)];
    if (problems.length > 0) return { id, problems: problems.slice(0, MOST_PROBLEMS) };
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    return { id, script: outputText };
  }

  #problems(program: typescript.Program, script: typescript.SourceFile): CodeProblem[] {
    const syntactic = program.getSyntacticDiagnostics(script);
    const found = syntactic.length > 0 ? syntactic : program.getSemanticDiagnostics(script);
    return found.map(({ start = 0, messageText }) => ({
      ...placeOf(script, start),
      message: this.ts.flattenDiagnosticMessageText(messageText, '\n').slice(0, LONGEST_PROBLEM),
    }));
  }

  #apiOf(text: string): typescript.SourceFile {
    const known = this.#apis.get(text);
    if (known) return known;
    const [oldest] = this.#apis.keys();
    if (this.#apis.size >= MOST_APIS && oldest !== undefined) this.#apis.delete(oldest);
    const file = this.ts.createSourceFile(API, text, this.ts.ScriptTarget.ES2022, true);
    this.#apis.set(text, file);
    return file;
  }

  /** Finds the two files and the libraries; there are no others, also where a script refers to some. */
  #hostOf(script: typescript.SourceFile, api: typescript.SourceFile): typescript.CompilerHost {
    const own = new Map([
      [SCRIPT, script],
      [API, api],
    ]);
    return {
      getSourceFile: (path) => own.get(path) ?? this.#library(path),
      getDefaultLibFileName: () => join(this.#libraries, 'lib.es2022.d.ts'),
      getDefaultLibLocation: () => this.#libraries,
      getCurrentDirectory: () => '/',
      getCanonicalFileName: (path) => path,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      fileExists: (path) => own.has(path),
      directoryExists: () => false,
      readFile: () => undefined,
      writeFile: () => undefined,
    };
  }

  #library(path: string): typescript.SourceFile | undefined {
    const name = /[\\/](lib(?:\.[\w.-]+)?\.d\.ts)$/.exec(path)?.[1];
    if (name === undefined) return undefined;
    const place = join(this.#libraries, name);
    if (!this.#files.has(place)) {
      const text = this.ts.sys.readFile(place);
      // Nobody reads the documentation in them, which takes as long as the rest.
      const how = {
        languageVersion: this.ts.ScriptTarget.ES2022,
        jsDocParsingMode: this.ts.JSDocParsingMode.ParseNone,
      };
      this.#files.set(place, text === undefined ? undefined : this.ts.createSourceFile(place, text, how));
    }
    return this.#files.get(place);
  }
}

/** Comments that keep the compiler from reporting something. The compiler keeps them, and does not declare it. */
function suppressions(script: typescript.SourceFile): CodeProblem[] {
  const { commentDirectives = [] } = script as {
    readonly commentDirectives?: readonly { readonly range: { readonly pos: number } }[];
  };
  return commentDirectives.map(({ range }) => ({
    ...placeOf(script, range.pos),
    message: 'Scripts are checked as a whole: remove @ts-ignore and @ts-expect-error.',
  }));
}

function placeOf(script: typescript.SourceFile, start: number): Pick<CodeProblem, 'line' | 'column'> {
  const { line, character } = script.getLineAndCharacterOfPosition(start);
  // The first line is that of the function around the code.
  return { line: Math.max(line, 1), column: character + 1 };
}
