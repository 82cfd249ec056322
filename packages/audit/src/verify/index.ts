/** Verifies chains of records: `@sigil-mcp/audit/verify`. */
export type { ChainFault, FoundFault } from './chain-reader';
export { findChains } from './find-chains';
export type { FoundChain, FoundFiles } from './find-chains';
export { verifyChain } from './verify-chain';
export type { LineFault, VerifiedChain, VerifyOptions } from './verify-chain';
