import { findRevision, type JsonObject } from '@sigil-mcp/protocol';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { askForm, deepFreeze, formFields } from './rich-values';

const request = deepFreeze({ method: 'elicitation/create', params: askForm } as const);
const written = (version: string): JsonObject =>
  findRevision(version)!.writeServerRequest(request).params?.['requestedSchema'] as JsonObject;
const fields = (version: string): JsonObject => written(version)['properties'] as JsonObject;
const contentOf = (version: string, content: JsonObject): unknown =>
  findRevision(version)!.readServerResult(request, { action: 'accept', content }).content;

describe('the form of 2025-11-25 and 2026-07-28', () => {
  it.each(['2025-11-25', '2026-07-28'])('is the form, on %s [ELICIT-007]', (version) => {
    expect(written(version)).toBe(askForm.requestedSchema);
  });

  it('is answered in its own words', () => {
    const content = { skies: 'wet, dry' };
    expect(contentOf('2025-11-25', content)).toBe(content);
  });
});

describe('the form of 2025-06-18', () => {
  const plain = fields('2025-06-18');
  const hint = 'Separated by commas, any of';

  it('keeps its fields and what it requires', () => {
    expect(written('2025-06-18')).toMatchObject({ type: 'object', required: ['name', 'skies'] });
    expect(Object.keys(plain)).toEqual(Object.keys(formFields));
  });

  it('has enum and enumNames in place of titled choices [ELICIT-008]', () => {
    const sky = { type: 'string', title: 'Sky', enum: ['wet', 'dry'], enumNames: ['Rain', 'Sun'] };
    expect(plain).toMatchObject({ sky, named: formFields.named, unit: { type: 'string', enum: ['c', 'f'] } });
    expect(JSON.stringify(plain)).not.toMatch(/oneOf|anyOf/);
  });

  it('has texts in place of multiple choices, saying what may be typed [ELICIT-008]', () => {
    expect(plain).toMatchObject({ letters: { type: 'string', description: `${hint}: a, b` } });
    expect(plain['skies']).toEqual({
      type: 'string',
      title: 'Skies',
      description: `Any (${hint}: wet (Rain), dry (Sun))`,
    });
    expect(JSON.stringify(plain)).not.toMatch(/"array"|minItems|maxItems/);
  });

  it('has defaults of booleans only [ELICIT-008]', () => {
    const withDefault = Object.entries(plain).filter(([, field]) => 'default' in (field as JsonObject));
    expect(withDefault).toEqual([['sure', formFields.sure]]);
  });

  it('reads what was typed as choices', () => {
    expect(contentOf('2025-06-18', { skies: ' wet,dry ,, ', name: 'a,b', days: 3, more: 'x,y' })).toEqual({
      skies: ['wet', 'dry'],
      name: 'a,b',
      days: 3,
      more: 'x,y',
    });
    expect(contentOf('2025-06-18', { skies: ['wet'] })).toEqual({ skies: ['wet'] });
  });

  it('tells choices apart that hold commas themselves', () => {
    const revision = findRevision('2025-06-18')!;
    const choices = { type: 'array', items: { type: 'string', enum: ['Oslo', 'Oslo, Norway', 'Rome'] } } as const;
    const asked = {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Where?', requestedSchema: { type: 'object', properties: { choices } } },
    } as const;
    const read = (typed: string): unknown =>
      revision.readServerResult(asked, { action: 'accept', content: { choices: typed } }).content;
    expect(read('Rome, Oslo, Norway,Oslo')).toEqual({ choices: ['Rome', 'Oslo, Norway', 'Oslo'] });
    expect(read('Oslo, Paris')).toEqual({ choices: ['Oslo', 'Paris'] });
  });

  it('takes a blank text for no answer where none is required', () => {
    expect(contentOf('2025-06-18', { letters: ' ', skies: '' })).toEqual({ skies: [] });
  });
});

describeWithSchemas('the words of forms, by the official schemas', (schemas) => {
  it('are fields of 2025-06-18 [ELICIT-007] [ELICIT-008]', () => {
    const official = schemas().get('2025-06-18')!;
    for (const field of Object.values(fields('2025-06-18'))) {
      expect(official.errors('PrimitiveSchemaDefinition', field)).toEqual([]);
    }
  });

  it.each(['2025-11-25', '2026-07-28'])('are fields of %s [ELICIT-007]', (version) => {
    const official = schemas().get(version)!;
    for (const field of Object.values(fields(version))) {
      expect(official.errors('PrimitiveSchemaDefinition', field)).toEqual([]);
    }
  });
});
