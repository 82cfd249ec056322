/** Verifies chains of records: `@sigil-mcp/audit/verify`. */
export type { ChainFault, FoundChain, FoundFault, FoundFiles } from './chain-reader';
export { findChains } from './chain-reader';
export { verifyChain } from './verify-chain';
export type { LineFault, VerifiedChain, VerifyOptions } from './verify-chain';
