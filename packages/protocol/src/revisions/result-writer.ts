/** Binds the writers of a revision to a server: its name and version are the same in every answer. */
import type { Implementation } from '../model/metadata';
import { projectFields } from '../writing/project-fields';
import type { NounWriters } from '../writing/write-nouns';
import type { FindCodec } from './compile-operations';
import type { ResultWriter, Revision } from './revision';
import type { RevisionRules } from './revision-rules';
import { inputRequiredWriter, resultWriters } from './write-results';

/** What the writers of results are compiled from. */
export interface ResultWriterParts {
  /** The methods that the revision has. */
  readonly requests: ReadonlySet<string>;
  readonly codecOf: FindCodec;
  readonly find: NounWriters;
  readonly writeError: Revision['writeError'];
}

/** Compiles `Revision.writerFor`: a server that is bound already gets the writer that it has. */
export function resultWriterFor(rules: RevisionRules, parts: ResultWriterParts): Revision['writerFor'] {
  const bound = new WeakMap<Implementation, ResultWriter>();
  const writeServer = parts.find('Implementation') ?? projectFields([]);
  const bind = (server: Implementation): ResultWriter => {
    const info = writeServer(server);
    const writerOf = resultWriters(rules, parts.codecOf, info);
    return {
      writeResult: (method, result, params) => writerOf(method).object(result, params),
      writeResultText: (method, result, params) => writerOf(method).text(result, params),
      writeInputRequired: inputRequiredWriter(info),
      writeFailure(error, method, params) {
        // A method that does not exist has no results.
        const result = parts.requests.has(method) ? parts.codecOf(method).resultOf?.(error) : undefined;
        return result ? { result: writerOf(method).object(result, params) } : { error: parts.writeError(error) };
      },
    };
  };
  return (server) => {
    const writer = bound.get(server) ?? bind(server);
    bound.set(server, writer);
    return writer;
  };
}
