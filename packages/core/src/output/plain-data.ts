/** A handler's data -> plain data for JSON, or an error that names the part which JSON cannot represent. */
import { unwritableOutput } from '../errors/invalid-output';
import { writeData } from '@sigil-mcp/schema/plain';

/**
 * A copy of a value that holds nothing but what JSON can say.
 * @param where `WeatherFeature.forecast`, for the error
 * @throws InvalidOutput for what JSON cannot say, binary data included
 */
export function plainData(value: unknown, where: string): unknown {
  const reading = writeData(value);
  if (!reading.ok) throw unwritableOutput(where, reading.unwritable);
  return reading.data;
}
