/** A contestant that serves HTTP. */
import { ServerProcess } from '../http/server-process.mjs';
import { wordsOf } from './contestants.mjs';

/**
 * Starts it for one way.
 * @returns its process, and what a load has to know of it; `sessions` are those that loads have opened
 */
export async function startServer(contestant, way) {
  const [program, ...words] = wordsOf(contestant, way);
  const process = await ServerProcess.start(program, words);
  const { port, child } = process;
  return { name: contestant.name, process, port, pid: child.pid, conversation: way.conversation, sessions: [] };
}
