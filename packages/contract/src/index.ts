/** The contract of a server as a file, and what a change of it means. */
export { CONTRACT_FORMAT, contractOf, readContract, writeContract } from './contract/contract-of';
export type { ContractAccess, ContractEntries, ContractEntry, ServerContract } from './contract/contract-of';
export { compareContracts } from './compare/compare-contracts';
export { LEVELS, type ChangeLevel, type ContractChange } from './compare/contract-change';
export { askedStep, askedVersion, isAtLeast, type VersionStep } from './report/asked-version';
export { changesMarkdown } from './report/markdown';
export { narrowings, type Narrowing, type NarrowingRule } from './schema/narrowings';
