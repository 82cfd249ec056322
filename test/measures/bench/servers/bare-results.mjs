/** What servers say of themselves that no framework helps. */
const SERVER = { name: 'bench', version: '1.0.0' };

/** The result of `initialize`. */
export const OPENING = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: SERVER };

/** What each result of 2026-07-28 carries. */
export const SERVER_META = { 'io.modelcontextprotocol/serverInfo': SERVER };
