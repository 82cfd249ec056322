/** The faults of the table in docs/reliability.md, in its order. */
import { CONNECTION_FAULTS } from './connection-faults';
import type { Fault } from './fault';
import { LOAD_FAULTS } from './load-faults';
import { MEMORY_FAULTS } from './memory-faults';
import { PROCESS_FAULTS } from './process-faults';

/** All of them. */
export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...CONNECTION_FAULTS, ...LOAD_FAULTS, ...MEMORY_FAULTS];
