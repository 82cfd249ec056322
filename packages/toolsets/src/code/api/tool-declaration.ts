/** A tool as a function of TypeScript: for the compiler, and for a model that reads it. */
import type { EntryFacts } from '@sigil-mcp/core';
import { DeclaredTypes, indent, jsDoc, memberName, SchemaTypes } from '@sigil-mcp/schema/typescript';

/** What is declared of one tool. */
export interface ToolDeclaration {
  /** For a model: a comment, the function, and the types that it refers to. */
  readonly readable: string;
  /** Types for the compiler, within a namespace of the tool. */
  readonly types: string;
  /** Whether the tool can be called without arguments. */
  readonly isOptional: boolean;
}

/** Declares a tool. */
export function declareTool({ key, definition }: EntryFacts<'tool'>): ToolDeclaration {
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
