/** The contract of a server as a file, and what a change of it means. */
export { CONTRACT_FORMAT } from './contract/contract';
export type { ServerContract, ContractAccess, ContractEntries, ContractEntry } from './contract/contract';
export { readContract, writeContract } from './contract/contract-file';
export { contractOf } from './contract/contract-of';
export { compareContracts } from './compare/compare-contracts';
export { LEVELS } from './compare/contract-change';
export type { ChangeLevel, ContractChange } from './compare/contract-change';
export { askedStep, askedVersion, isAtLeast } from './report/asked-version';
export type { VersionStep } from './report/asked-version';
export { changesMarkdown } from './report/markdown';
export { narrowings } from './schema/narrowings';
export type { Narrowing, NarrowingRule } from './schema/narrowings';
