/** Binds the writers of a revision to a server: its name and version are the same in every answer. */
import { InvalidArguments } from '../../jsonrpc/invalid-arguments';
import type { JsonObject } from '../../jsonrpc/message';
import type { Implementation } from '../../model/metadata';
import type { CallToolResult } from '../../model/tools';
import type { ResultWriter, Revision } from '../revision';
import type { RevisionRules } from '../revision-rules';
import { projectFields } from './project-fields';
import type { NounWriters } from './write-nouns';
import { inputRequiredWriter, resultWriters } from './write-results';

type WriteError = Revision['writeError'];

/** Compiles `Revision.writerFor`: a server that is bound already gets the writer that it has. */
export function resultWriterFor(
  rules: RevisionRules,
  find: NounWriters,
  writeError: WriteError,
): Revision['writerFor'] {
  const bound = new WeakMap<Implementation, ResultWriter>();
  const writeServer = find('Implementation') ?? projectFields([]);
  const bind = (server: Implementation): ResultWriter => {
    const info = writeServer(server);
    const writers = resultWriters(rules, find, info);
    return {
      writeResult: (method, result) => writers[method].object(result),
      writeResultText: (method, result) => writers[method].text(result),
      writeInputRequired: inputRequiredWriter(info),
      writeFailure: failureWriter(rules, writeError, writers['tools/call'].object),
    };
  };
  return (server) => {
    const writer = bound.get(server) ?? bind(server);
    bound.set(server, writer);
    return writer;
  };
}

/** Invalid arguments of a tool are a result where the revision wants a model to learn from them. */
function failureWriter(
  { invalidToolArguments }: RevisionRules,
  writeError: WriteError,
  writeToolResult: (result: CallToolResult) => JsonObject,
): ResultWriter['writeFailure'] {
  return (error, method) => {
    if (invalidToolArguments === 'result' && method === 'tools/call' && error instanceof InvalidArguments) {
      return { result: writeToolResult({ content: [{ type: 'text', text: error.message }], isError: true }) };
    }
    return { error: writeError(error) };
  };
}
