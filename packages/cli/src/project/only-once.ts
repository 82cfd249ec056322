/** Packages that a program may load only once, because they hold metadata, or classes that are compared. */
export const ONLY_ONCE: readonly string[] = [
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  '@sigil-mcp/core',
];
