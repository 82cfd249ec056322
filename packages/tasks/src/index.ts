/** Tasks as an extension of a server. */
export { TASKS } from './names';
export { startTask } from './start-task';
export { MemoryTaskStore } from './stores/memory';
export { bytesOf } from './stores/task-store';
export type { StoredTask, TaskChanged, TaskCount, TaskRoom, TaskStore, TextRoom } from './stores/task-store';
export type { CurrentRights, TaskLimits, TaskSettings, TasksOptions, TaskSupport } from './tasks-options';
export { tasks } from './tasks';
