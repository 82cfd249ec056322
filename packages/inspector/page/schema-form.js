/** A form made of a JSON Schema: what is typed is JSON at once, so that the form and the JSON beside it are one. */
import {
  branchesOf,
  branchFor,
  choicesOf,
  firstValue,
  kindOf,
  limitsOf,
  resolved,
  textOf,
  valueOf,
  withMember,
} from './form-values.js';
import { html, useState } from './markup.js';

/**
 * @typedef {object} FieldProps
 * @property {any} schema
 * @property {any} root the schema that references are looked up in
 * @property {any} value
 * @property {(value: any) => void} onChange
 * @property {string} path of the field, for labels and for problems
 * @property {string} [label]
 * @property {boolean} [isRequired]
 * @property {Record<string, string>} [problems] by path
 * @property {(name: string, text: string) => Promise<string[]>} [complete]
 */

/** All members of an object. @param {FieldProps} props */
export function SchemaForm({ schema, ...props }) {
  return html`<div class="form"><${Members} ...${props} schema=${resolved(schema, props.root)} /></div>`;
}

/** @param {FieldProps} props */
function Members({ schema, value, onChange, path, label: _label, ...props }) {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return html`<p class="dim">It takes no arguments.</p>`;
  return members.map(
    ([name, one]) =>
      html`<${Field}
        ...${props}
        key=${name}
        schema=${one}
        value=${value?.[name]}
        path=${`${path}/${name}`}
        label=${name}
        isRequired=${schema.required?.includes(name) ?? false}
        onChange=${(/** @type {any} */ changed) => onChange(withMember(value, name, changed))}
      />`,
  );
}

/** @type {Record<string, (props: any) => any>} */
const FIELDS = {
  text: TextField,
  number: TextField,
  boolean: BooleanField,
  choice: ChoiceField,
  list: ListField,
  object: ObjectField,
  union: UnionField,
  null: NullField,
  json: JsonField,
};

/** @param {FieldProps} props */
function Field(props) {
  const schema = resolved(props.schema, props.root);
  const kind = kindOf(schema);
  const problem = props.problems?.[props.path];
  const id = `field${props.path.replace(/[^\w]/g, '-')}`;
  const isGroup = ['list', 'object', 'union'].includes(kind);
  const words = [schema.description, limitsOf(schema)].filter(Boolean);
  const inner = html`<${FIELDS[kind]}
    ...${props}
    schema=${schema}
    kind=${kind}
    id=${id}
    isOff=${props.value === undefined}
  />`;
  const hint = html`${words.length > 0 && html`<small id=${`${id}-hint`}>${words.join(' · ')}</small>`}
  ${problem && html`<small class="problem" role="alert">${problem}</small>`}`;
  const name = html`${props.label}${props.isRequired && html`<b title="required" aria-hidden="true"> *</b>`}`;
  return isGroup
    ? html`<fieldset class=${props.value === undefined && !props.isRequired ? 'field off' : 'field'}>
        <legend>${name} <${Unset} ...${props} schema=${schema} /></legend>
        ${hint}${props.value === undefined && !props.isRequired ? null : inner}
      </fieldset>`
    : html`<div class="field">
        <div class="field-head"><label for=${id}>${name}</label><${Unset} ...${props} schema=${schema} /></div>
        ${inner}${hint}
      </div>`;
}

/** Takes an optional value out, or puts it in. @param {FieldProps} props */
function Unset({ schema, root, value, onChange, isRequired, label }) {
  if (isRequired) return null;
  if (value !== undefined)
    return html`<button
      type="button"
      class="quiet tiny"
      aria-label=${`Leave out ${label}`}
      onClick=${() => onChange(undefined)}
    >
      leave out
    </button>`;
  const kind = kindOf(schema);
  if (['text', 'number', 'choice', 'json'].includes(kind)) return html`<span class="dim tiny">optional</span>`;
  const add = () => onChange(firstValue(schema, root) ?? (kind === 'boolean' ? false : null));
  return html`<button type="button" class="quiet tiny" aria-label=${`Add ${label}`} onClick=${add}>add</button>`;
}

/** @param {any} props */
function TextField({ schema, kind, id, value, onChange, label, isRequired, complete }) {
  const [found, setFound] = useState(/** @type {string[]} */ ([]));
  // What is half typed, such as "1e", is no number yet.
  const [typed, setTyped] = useState(/** @type {string | undefined} */ (undefined));
  const type = (/** @type {any} */ event) => {
    const text = event.target.value;
    setTyped(text);
    onChange(text === '' && !isRequired ? undefined : valueOf(kind, text));
    if (complete) void complete(label, text).then(setFound);
  };
  const shown =
    typed !== undefined && valueOf(kind, typed) === (value ?? (typed === '' ? valueOf(kind, '') : undefined))
      ? typed
      : textOf(value);
  const isLong = kind === 'text' && ((schema.maxLength ?? 0) > 300 || textOf(value).includes('\n'));
  const shared = {
    id,
    value: shown,
    onInput: type,
    'aria-describedby': `${id}-hint`,
    placeholder: schema.examples?.[0] === undefined ? undefined : textOf(schema.examples[0]),
  };
  if (isLong) return html`<textarea rows="4" ...${shared}></textarea>`;
  const list = found.length > 0 ? `${id}-list` : undefined;
  return html`<input
      ...${shared}
      type=${typeOfInput(kind, schema)}
      inputmode=${kind === 'number' ? 'decimal' : undefined}
      list=${list}
      autocomplete="off"
      required=${isRequired}
    />
    ${list && html`<datalist id=${list}>${found.map((one) => html`<option value=${one} />`)}</datalist>`}`;
}

/** @type {Record<string, string>} the fields of browsers for formats */
const INPUTS = { date: 'date', email: 'email', uri: 'url' };

/** @param {string} kind @param {any} schema */
function typeOfInput(kind, { format }) {
  if (kind === 'number') return 'text';
  return Object.hasOwn(INPUTS, format ?? '') ? INPUTS[format] : 'text';
}

/** @param {any} props */
function BooleanField({ id, value, onChange }) {
  return html`<input
    type="checkbox"
    id=${id}
    checked=${value === true}
    onChange=${(/** @type {any} */ event) => onChange(event.target.checked)}
  />`;
}

/** @param {any} props */
function ChoiceField({ schema, id, value, onChange, isRequired }) {
  const choices = choicesOf(schema) ?? [];
  const at = choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  const choose = (/** @type {any} */ event) =>
    onChange(event.target.value === '' ? undefined : choices[Number(event.target.value)]?.value);
  return html`<select id=${id} value=${at < 0 ? '' : String(at)} onChange=${choose}>
    ${(at < 0 || !isRequired) && html`<option value="">${isRequired ? 'choose' : 'left out'}</option>`}
    ${choices.map(({ title }, index) => html`<option value=${String(index)}>${title}</option>`)}
  </select>`;
}

/** @param {any} props */
function ListField({ schema, root, value, onChange, path, problems }) {
  const items = Array.isArray(value) ? value : [];
  const set = (/** @type {number} */ at, /** @type {any} */ one) =>
    onChange(items.map((item, index) => (index === at ? one : item)));
  const add = () =>
    onChange([
      ...items,
      firstValue(schema.items, root) ?? (kindOf(resolved(schema.items, root)) === 'text' ? '' : null),
    ]);
  return html`<ol class="items">
      ${items.map(
        (item, index) =>
          html`<li key=${index}>
            <${Field}
              schema=${schema.items}
              root=${root}
              value=${item}
              label=${`item ${index + 1}`}
              isRequired
              path=${`${path}/${index}`}
              problems=${problems}
              onChange=${(/** @type {any} */ one) => set(index, one ?? null)}
            />
            <button
              type="button"
              class="quiet tiny"
              aria-label=${`Remove item ${index + 1}`}
              onClick=${() => onChange(items.filter((_, at) => at !== index))}
            >
              remove
            </button>
          </li>`,
      )}
    </ol>
    <button type="button" class="quiet" onClick=${add}>Add an item</button>`;
}

/** @param {any} props */
function ObjectField(props) {
  return html`<div class="nested"><${Members} ...${props} /></div>`;
}

/** @param {any} props */
function UnionField({ schema, root, value, onChange, path, problems, id }) {
  const branches = branchesOf(schema);
  const [chosen, setChosen] = useState(/** @type {number | undefined} */ (undefined));
  const at = chosen ?? branchFor(branches, value, root);
  const choose = (/** @type {any} */ event) => {
    const next = Number(event.target.value);
    setChosen(next);
    onChange(
      firstValue(branches[next] ?? {}, root) ?? (kindOf(resolved(branches[next] ?? {}, root)) === 'text' ? '' : null),
    );
  };
  const titles = branches.map((branch, index) => titleOf(resolved(branch, root), index));
  return html`<label class="hidden" for=${`${id}-kind`}>Kind</label>
    <select id=${`${id}-kind`} value=${String(at)} onChange=${choose}>
      ${titles.map((title, index) => html`<option value=${String(index)}>${title}</option>`)}
    </select>
    <${Field}
      key=${at}
      schema=${branches[at] ?? {}}
      root=${root}
      value=${value}
      label=${titles[at]}
      isRequired
      path=${path}
      problems=${problems}
      onChange=${onChange}
    />`;
}

/** What a branch is called. @param {any} schema @param {number} index */
function titleOf(schema, index) {
  const constant = Object.values(schema.properties ?? {}).find((/** @type {any} */ one) => 'const' in one);
  return schema.title ?? constant?.const ?? (typeof schema.type === 'string' ? schema.type : `kind ${index + 1}`);
}

/** @param {any} props */
function NullField({ id }) {
  return html`<input id=${id} value="null" readonly />`;
}

/** @param {any} props */
function JsonField({ id, value, onChange }) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value));
  const type = (/** @type {any} */ event) => {
    setText(event.target.value);
    onChange(valueOf('json', event.target.value));
  };
  return html`<textarea
    id=${id}
    class="code"
    rows="2"
    spellcheck="false"
    placeholder="JSON"
    value=${text}
    onInput=${type}
  ></textarea>`;
}
