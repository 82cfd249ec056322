/** The floor over stdio: one write for each chunk that it reads. */
import { floorAnswer } from './bare-body.mjs';
import { readLines } from './order.mjs';

let answers = '';
readLines(
  (message) => {
    const answer = floorAnswer(message);
    if (answer !== undefined) answers += `${JSON.stringify(answer)}\n`;
  },
  () => {
    if (answers !== '') process.stdout.write(answers);
    answers = '';
  },
);
