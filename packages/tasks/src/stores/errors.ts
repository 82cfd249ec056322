/** The errors of stores for authors of servers and of stores. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/adapter';

const ERRORS = defineErrors({
  SIGIL_TASKS_REDIS_OPTION: {
    problem: 'redisTasks(client, { {option} }) is {value}.',
    fix: 'Pass {wanted}, or leave it out for the default.',
  },
  SIGIL_TASKS_TEST_FRAMEWORK: {
    problem: 'describeTaskStore() found no `describe` and `it`.',
    fix: "Run the file with a test runner that defines them globally, such as jest, or pass them: describeTaskStore(name, open, { describe, it }), with those of 'node:test' or 'vitest'.",
  },
});

/** Makes an error of the stores, to be thrown. */
export const { error: taskStoreError } = ERRORS;

/** The sections of docs/errors.md. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Stores of tasks',
    about: 'Thrown by the stores of `@sigil-mcp/tasks`, and by the tests for stores in `@sigil-mcp/tasks/testing`.',
    errors: ERRORS.entries,
  },
];
