/** A TypeScript project in a folder of its own, which notes each time it is compiled. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** A server with one tool, whose description and input can be chosen. */
const SERVER = `
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { createServer, Describe, Feature, Tool } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { IsIn, IsInt, IsOptional, IsString, MinLength } from 'class-validator';
import { factor } from './factor';

class Input {
  @Describe('The number') @IsInt() value!: number;
}
class Note {
  @IsString() @MinLength(3) title!: string;
  @IsIn(['low', 'high']) priority!: string;
  @IsInt({ each: true }) pages!: number[];
  @IsOptional() @IsString() text?: string;
}
@Feature()
class Numbers {
  @Tool('Multiplies a number') multiply(input: Input): number { return input.value * factor; }
  @Tool('Takes a note') takeNote(note: Note): string { return JSON.stringify(note); }
}
void createServer({ name: 'small', version: '1.0.0', features: [Numbers] }).listen(new StdioTransport());
`;

/** The folder of a project, with its own copy of the compiler's package. */
export class TypescriptProject {
  readonly folder: string;

  constructor() {
    // Within the repository, whose packages the program imports by name.
    mkdirSync(join(root, '.sigil'), { recursive: true });
    this.folder = mkdtempSync(join(root, '.sigil', 'call-'));
    this.write('package.json', '{ "name": "small", "version": "1.0.0" }');
    this.write('tsconfig.json', '{ "extends": "../../tsconfig.base.json" }');
    this.write('src/main.ts', SERVER);
    this.write('src/factor.ts', 'export const factor = 2;\n');
    const compiler = dirname(require.resolve('typescript/package.json'));
    const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as { version: string };
    this.write('node_modules/typescript/package.json', JSON.stringify({ version, main: 'index.js' }));
    this.write(
      'node_modules/typescript/index.js',
      `const compiler = require(${JSON.stringify(compiler)});
const noted = (...args) => {
  require('node:fs').appendFileSync(require('node:path').join(__dirname, 'programs'), '.');
  return compiler.createProgram(...args);
};
module.exports = { ...compiler, createProgram: noted };
`,
    );
  }

  /** How often it was compiled. */
  get compilations(): number {
    const path = join(this.folder, 'node_modules', 'typescript', 'programs');
    return existsSync(path) ? readFileSync(path, 'utf8').length : 0;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
