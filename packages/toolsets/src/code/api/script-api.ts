/** What scripts may use, declared for the compiler: one text for each set of tools. */
import type { EntryFacts } from '@sigil-mcp/core';
import { memberName, DeclaredTypes, indent, jsDoc, SchemaTypes } from '@sigil-mcp/schema/typescript';

/** What is declared of one tool. */
interface ToolDeclaration {
  /** For a model: a comment, the function, and the types that it refers to. */
  readonly readable: string;
  /** Types for the compiler, within a namespace of the tool. */
  readonly types: string;
  /** Whether the tool can be called without arguments. */
  readonly isOptional: boolean;
}

/** What every script has. */
const ALWAYS = `
/** Thrown by a tool that fails, or that refuses the call. */
declare class ToolError extends Error { readonly tool: string; }
/** Declarations of the tools that match words, the best first. */
declare function search(words: string, limit?: number): Promise<string>;
declare const console: { readonly [level in 'log' | 'info' | 'warn' | 'error' | 'debug']: (...values: unknown[]) => void };
`;

/** Texts that are kept, of as many audiences. */
const MOST_TEXTS = 20;

/** The declarations of the tools of one server, each made once. */
export class ScriptApi {
  readonly #declared = new WeakMap<EntryFacts, ToolDeclaration>();
  readonly #numbers = new WeakMap<EntryFacts, number>();
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** For the compiler: the same text for the same tools. */
  textOf(tools: readonly EntryFacts<'tool'>[]): string {
    const key = tools.map((tool) => this.#numberOf(tool)).join(' ');
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#texts.keys();
    if (this.#texts.size >= MOST_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    const text = this.#write(tools);
    this.#texts.set(key, text);
    return text;
  }

  /** For a model. */
  readable(tool: EntryFacts<'tool'>): string {
    return this.#declarationOf(tool).readable;
  }

  #write(tools: readonly EntryFacts<'tool'>[]): string {
    const declared = tools.map((tool, index) => ({ key: tool.key, name: `T${index}`, ...this.#declarationOf(tool) }));
    const members = declared.map(
      ({ key, name, isOptional }) =>
        `  readonly ${memberName(key)}: (given${isOptional ? '?' : ''}: ${name}.Arguments) => Promise<${name}.Result>;`,
    );
    const types = declared.map((one) => `declare namespace ${one.name} {\n${one.types}\n}`);
    return `${ALWAYS}declare const tools: {\n${members.join('\n')}\n};\n${types.join('\n')}\n`;
  }

  #declarationOf(tool: EntryFacts<'tool'>): ToolDeclaration {
    const declaration = this.#declared.get(tool) ?? declareTool(tool);
    this.#declared.set(tool, declaration);
    return declaration;
  }

  /** The facts of an entry are made once, so other facts are those of a changed entry. */
  #numberOf(tool: EntryFacts<'tool'>): number {
    const number = this.#numbers.get(tool) ?? this.#count++;
    this.#numbers.set(tool, number);
    return number;
  }
}

/** Declares a tool. */
function declareTool({ key, definition }: EntryFacts<'tool'>): ToolDeclaration {
  const { description, inputSchema, outputSchema } = definition;
  const declared = new DeclaredTypes(['Arguments', 'Result']);
  const given = new SchemaTypes(inputSchema, declared, 'arguments').write();
  const result = outputSchema ? new SchemaTypes(outputSchema, declared, 'result').write() : 'unknown';
  const others = declared.declarations();
  const { required } = inputSchema as { readonly required?: unknown };
  const isOptional = !Array.isArray(required) || required.length === 0;
  const access = /^[A-Za-z_$][\w$]*$/.test(key) ? `tools.${key}` : `tools[${memberName(key)}]`;
  const call = `${access}(given${isOptional ? '?' : ''}: ${given}): Promise<${result}>;`;
  const readable = `${jsDoc({ description })}${call}`;
  return {
    readable: [readable, ...others.map((type) => type.replace(/^export /, ''))].map(indent).join('\n'),
    types: [...others, `export type Arguments = ${given};`, `export type Result = ${result};`].join('\n'),
    isOptional,
  };
}
