/** The option `task` of tools. */
import { createFact, entryOption, type EntryOption } from '@sigil-mcp/core';
import { isObject, nameValue, oneOf, type OptionRule } from '@sigil-mcp/core/adapter';
import { taskWords } from './errors';
import { TASKS } from './names';

/** Whether a tool can run as a task, or only so. */
export type TaskSupport = 'optional' | 'required';

/** How a tool runs as a task. */
export interface TaskSettings {
  /**
   * `optional`: clients that do not know tasks call the tool as ever. `required`: such clients are refused. `optional` if left out.
   */
  readonly support?: TaskSupport;
  /**
   * When the call becomes a task: at once, or where its handler calls `startTask(context)`, so that questions before that are asked with the
   * request. `at-once` if left out.
   */
  readonly starts?: 'at-once' | 'in-handler';
  /**
   * How often it runs again if its worker is lost while it works: `never`, so that nothing happens twice and the task fails, or a number. What
   * `once` has kept is not done again. `never` if left out.
   */
  readonly retry?: 'never' | number;
  /** Milliseconds that a task is kept from its creation, `Infinity` for ever; `tasks({ ttl })` if left out. */
  readonly ttl?: number;
  /** Milliseconds that clients are asked to wait between polls; `tasks({ pollInterval })` if left out. */
  readonly pollInterval?: number;
}

declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /**
     * Whether a call can be a task, which outlives its request; never, if left out. The server needs `extensions: [tasks()]`.
     * @example task: 'optional'
     */
    readonly task?: TaskSupport | TaskSettings;
  }
}

/** What the option says. */
export const TASK_SETTINGS = createFact<TaskSettings>({ label: 'The option task', extension: TASKS });

const isTime = (value: unknown): boolean => typeof value === 'number' && value > 0;

const MEMBERS: Readonly<Record<string, OptionRule>> = {
  support: oneOf('optional', 'required'),
  starts: oneOf('at-once', 'in-handler'),
  retry: {
    wanted: "'never' or a whole number of at least 1",
    fits: (value) => value === 'never' || (Number.isSafeInteger(value) && Number(value) >= 1),
  },
  ttl: { wanted: 'milliseconds, more than 0', fits: isTime },
  pollInterval: { wanted: 'milliseconds, more than 0', fits: (value) => isTime(value) && Number.isFinite(value) },
};

/** Adds the option to tools. */
export const TASK_OPTION: EntryOption = entryOption({
  kind: 'tool',
  name: 'task',
  fact: TASK_SETTINGS,
  read(value, report) {
    const settings = typeof value === 'string' ? { support: value } : value;
    if (!isObject(settings) || Array.isArray(settings)) {
      const wanted = "'optional', 'required' or an object";
      report(taskWords('SIGIL_TASK_OPTION', { member: '', value: nameValue(value), wanted }));
      return undefined;
    }
    const wrong = Object.entries(settings).filter(([name, each]) => each !== undefined && !memberOf(name)?.fits(each));
    for (const [name, each] of wrong) {
      const wanted = memberOf(name)?.wanted ?? `only ${Object.keys(MEMBERS).join(', ')}`;
      const member = settings === value ? `.${name}` : '';
      report(taskWords('SIGIL_TASK_OPTION', { member, value: nameValue(each), wanted }));
    }
    // All members were checked.
    return wrong.length === 0 ? settings : undefined;
  },
});

function memberOf(name: string): OptionRule | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
}
