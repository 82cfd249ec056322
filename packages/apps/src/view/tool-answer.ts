/** The result of a tool, as a view reads it. */
import { type JsonRecord, ViewError } from './host-channel';

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

/** What pages look for by the names of the protocol or of the server, and where it is. */
const ELSEWHERE = { structured: 'data', structuredContent: 'data', content: 'text, or as result.content' };

/** Reads a result. The server has checked the data by the output of the tool, so it has the type of the tool here. */
export function readToolAnswer<D>(result: JsonRecord): ToolAnswer<D> {
  const blocks = Array.isArray(result['content']) ? (result['content'] as readonly JsonRecord[]) : [];
  const text = blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n');
  if (result['isError'] === true) return refusing({ isError: true, data: undefined, text, result });
  return refusing({ isError: false, data: result['structuredContent'] as D, text, result });
}

/** A script without types would read undefined, and show nothing without an error. */
function refusing<Answer extends object>(answer: Answer): Answer {
  for (const [name, place] of Object.entries(ELSEWHERE))
    Object.defineProperty(answer, name, {
      get: () => {
        throw new ViewError(`An answer has no ${name}: it has that as ${place}.`);
      },
    });
  return answer;
}
