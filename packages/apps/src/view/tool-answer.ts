/** The result of a tool, as a view reads it. */
import type { JsonRecord } from './host-channel';

/** What every result of a tool has. */
export interface AnswerParts {
  /** The texts of its content, joined with line breaks: what hosts without views show. */
  readonly text: string;
  /** The result as it was sent. */
  readonly result: JsonRecord;
}

/** The result of a tool: its data, or what went wrong. */
export type ToolAnswer<D> =
  | (AnswerParts & { readonly isError: false; /** The structured content. */ readonly data: D })
  | (AnswerParts & { readonly isError: true; readonly data: undefined });

/** Reads a result. The server has checked the data by the output of the tool, so it has the type of the tool here. */
export function readToolAnswer<D>(result: JsonRecord): ToolAnswer<D> {
  const blocks = Array.isArray(result['content']) ? (result['content'] as readonly JsonRecord[]) : [];
  const text = blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n');
  if (result['isError'] === true) return { isError: true, data: undefined, text, result };
  return { isError: false, data: result['structuredContent'] as D, text, result };
}
