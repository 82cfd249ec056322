import { fillIn } from '../src/files/template';

describe('a template', () => {
  const values = { words: { name: 'notes' }, flags: { http: true, stdio: false } };

  it('has words, and lines that a flag brings', () => {
    const template = 'a {{name}}\n{{#http}}\nHTTP of {{name}}\n{{/http}}\n{{#stdio}}\nstdio\n{{/stdio}}\nend\n';
    expect(fillIn(template, values)).toBe('a notes\nHTTP of notes\nend\n');
  });

  it('has lines of a flag among those of another', () => {
    const template = '{{#http}}\na\n{{#stdio}}\nb\n{{/stdio}}\nc\n{{/http}}\n';
    expect(fillIn(template, values)).toBe('a\nc\n');
  });

  it('leaves what is no placeholder alone', () => {
    expect(fillIn('`${a}` { {x} } {{ }}\n', values)).toBe('`${a}` { {x} } {{ }}\n');
  });

  it('may not name what has no value', () => {
    expect(() => fillIn('{{nobody}}', values)).toThrow('{{nobody}}');
    expect(() => fillIn('{{#nobody}}\n{{/nobody}}\n', values)).toThrow('{{nobody}}');
  });
});
