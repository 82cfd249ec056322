/** A small client of the Model Context Protocol that speaks every revision. */
export { SigilError } from '@sigil-mcp/base';
