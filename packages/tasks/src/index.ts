/** Tasks as an extension of a server. */
export { TASKS } from './names';
export { MemoryTaskStore } from './stores/memory';
export type { StoredTask, TaskChanged, TaskCount, TaskRoom, TaskStore } from './stores/task-store';
