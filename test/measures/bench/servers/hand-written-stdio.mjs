/** The server written by hand over stdio: answers that are ready in one turn leave in one write. */
import { handWritten } from './hand-written.mjs';
import { readOrder, readLines } from './order.mjs';

const answerTo = handWritten(readOrder().tools);
let answers = '';

readLines((message) => {
  answerTo(message).then(send);
});

function send(answer) {
  if (answer === undefined) return;
  if (answers === '') globalThis.setImmediate(flush);
  answers += `${JSON.stringify(answer)}\n`;
}

function flush() {
  process.stdout.write(answers);
  answers = '';
}
