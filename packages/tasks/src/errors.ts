/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_TASK_OPTION: {
    problem: 'its option task{member} is {value}.',
    fix: "Pass {wanted}, as in @Tool('...', { task: 'optional' }).",
  },
  SIGIL_TASKS_SECRETS: {
    problem:
      'tasks({ store }) keeps tasks for longer than this process, but the server has no secrets to seal them with.',
    fix: 'Set the variable SIGIL_SECRETS, or createServer({ requestState: { secrets } }), to a secret of at least 32 characters, the same for all instances.',
  },
  SIGIL_TASKS_NOBODY: {
    problem: 'tasks({ work: false }) has a store that no other process can read, so no task would ever run.',
    fix: "Remove work: false, or pass a store that a worker shares, such as redisTasks(client) of '@sigil-mcp/tasks/redis'.",
  },
  SIGIL_TASK_ROOM: {
    problem: '{what} of the task has no room. {limit}',
    fix: 'Return and keep less, such as a link to the data in place of the data, or raise the limit.',
  },
  SIGIL_TASK_LOST: {
    problem: 'The task was taken from this worker: it was cancelled, or its lease has expired.',
    fix: 'Let the error pass. If a handler keeps the process busy for longer than tasks({ lease }), give it a longer one.',
  },
});

/** Make errors of this package: thrown, and reported as problems of a definition, with a place or without. */
export const { error: taskError, problem: taskProblem, words: taskWords } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Tasks',
    about:
      'Found when a server with `tasks()` is defined or starts; SIGIL_TASK_ROOM and SIGIL_TASK_LOST in handlers that run as tasks.',
    errors: ERRORS.entries,
  },
];
