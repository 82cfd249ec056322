/** Verifies chains of records: `@sigil-mcp/audit/verify`. */
export { findChains, type ChainFault, type FoundChain, type FoundFault, type FoundFiles } from './chain-reader';
export { verifyChain, type LineFault, type VerifiedChain, type VerifyOptions } from './verify-chain';
