/** Loads this room only where a bundle has stored shapes, or where they are being stored. */
import type { DefinitionProblem } from '@sigil-mcp/base';
import { shapeRecorder, storedData } from './stored-shapes';
import type * as Stored from './stored-shapes';

/** @param tellStale receives the problem of a class that is no longer as it was stored */
export function openStored(tellStale: (problem: DefinitionProblem) => void): Stored.StoredShapes | undefined {
  const [data, recorder] = [storedData(), shapeRecorder()];
  if (!data && !recorder) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only when needed, and synchronously
  const { StoredShapes } = require('./stored-shapes') as typeof Stored;
  return new StoredShapes(data, recorder, tellStale);
}
