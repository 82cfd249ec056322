/**
 * `npm run simulate`: what a server of many instances and sessions asks of each instance and each node of Redis, and what breaks first.
 * `--measure` measures the costs again, `--measure-tasks` those of tasks, and `--check` compares the model with three, six and twelve real processes; both need a redis-server
 * and Linux. `--picture <file>` draws what grows, and `--page <file>` writes the tables of a page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkModel } from './measure/check-model';
import { measureCosts } from './measure/measure-costs';
import { measureTasks } from './measure/measure-tasks';
import type { Costs } from './model/costs';
import type { TaskCosts } from './model/tasks';
import { drawScale } from './report/draw-scale';
import { simulateAll, type Simulated } from './report/play-sizes';
import { sayBreaking, sayListChange, writePage } from './report/write-page';
import {
  checkTable,
  limitsTable,
  operationsTable,
  sizesTable,
  mostTasksTable,
  taskOperationsTable,
  writePlain,
  isWrong,
  type CheckedSize,
} from './report/tables';

const costsFile = join(__dirname, 'costs.json');
const taskCostsFile = join(__dirname, 'task-costs.json');
const checkedFile = join(__dirname, 'checked.json');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      measure: { type: 'boolean', default: false },
      'measure-tasks': { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      picture: { type: 'string' },
      page: { type: 'string' },
    },
  });
  if (values.measure) save(costsFile, await measureCosts(progress));
  if (values['measure-tasks']) save(taskCostsFile, await measureTasks(progress));
  const tasks = JSON.parse(readFileSync(taskCostsFile, 'utf8')) as TaskCosts;
  const costs = JSON.parse(readFileSync(costsFile, 'utf8')) as Costs;
  if (values.check) return check(costs);
  const simulated = simulateAll(costs, tasks);
  report(simulated);
  if (values.picture !== undefined) writeFileSync(values.picture, drawScale(simulated));
  if (values.page !== undefined)
    writeFileSync(values.page, writePage(readFileSync(values.page, 'utf8'), simulated, checked()));
  return 0;
}

function report({ costs, tasks, played }: Simulated): void {
  say(writePlain(operationsTable(costs)));
  say('Nodes of Redis grow with the sessions');
  say(writePlain(sizesTable(played['more nodes'])));
  say(`${sayBreaking(played['more nodes'])}\n`);
  say('Six nodes of Redis');
  say(writePlain(sizesTable(played['six nodes'])));
  say(`${sayBreaking(played['six nodes'])}\n`);
  say(writePlain(limitsTable(played)));
  say(sayListChange(costs));
  say('Tasks of one node of Redis');
  say(writePlain(taskOperationsTable(tasks)));
  say(writePlain(mostTasksTable(tasks)));
}

async function check(costs: Costs): Promise<number> {
  const sizes = await checkModel(costs, progress);
  say(writePlain(checkTable(sizes)));
  const wrong = sizes.flatMap(({ compared }) => compared.filter(isWrong));
  if (wrong.length === 0) save(checkedFile, sizes);
  say(wrong.length === 0 ? 'Commands and bytes are as the model says.' : `${wrong.length} figures differ too much.`);
  return wrong.length === 0 ? 0 : 1;
}

function checked(): readonly CheckedSize[] {
  return JSON.parse(readFileSync(checkedFile, 'utf8')) as readonly CheckedSize[];
}

function save(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
