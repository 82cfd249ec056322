/** The MIME types of the files in skills, by the endings of their names. */
import { isUtf8 } from 'node:buffer';

const TYPES = new Map(
  Object.entries({
    'text/markdown': ['md', 'markdown'],
    'text/plain': ['txt'],
    'text/csv': ['csv'],
    'text/html': ['html', 'htm'],
    'text/css': ['css'],
    'text/javascript': ['js', 'mjs', 'cjs'],
    'text/typescript': ['ts', 'mts', 'cts'],
    'text/x-python': ['py'],
    'application/json': ['json'],
    'application/yaml': ['yaml', 'yml'],
    'application/xml': ['xml'],
    'application/x-sh': ['sh', 'bash'],
    'application/pdf': ['pdf'],
    'image/svg+xml': ['svg'],
    'image/png': ['png'],
    'image/jpeg': ['jpg', 'jpeg'],
    'image/gif': ['gif'],
    'image/webp': ['webp'],
  }).flatMap(([type, endings]) => endings.map((ending) => [ending, type] as const)),
);

/** The type of a file; of one with an unknown ending, whether it is text. */
export function mimeTypeOf(name: string, bytes: Buffer): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(ending) ?? (isText(bytes) ? 'text/plain' : 'application/octet-stream');
}

/** Whether bytes are served as text: those that a client gets back unchanged from it. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
