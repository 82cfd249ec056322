/** Packages of which a program has one copy: each holds something that there may be only one of, as metadata and classes that are compared. */
export const ONLY_ONCE: readonly string[] = [
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  '@sigil-mcp/core',
];
