import { el, freshId } from '../shell/dom.js';

/**
 * @param {string} name @param {string} label @param {[string, string][]} options
 * @param {(value: string) => void} [choose] called with the option that the user chose
 */
export function select(name, label, options, choose) {
  const id = freshId(name);
  const onchange = choose && ((/** @type {{ target: HTMLSelectElement }} */ { target }) => choose(target.value));
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el(
      'select',
      { id, name, onchange },
      options.map(([value, says]) => el('option', { value }, says)),
    ),
  );
}

/** @param {string} name @param {string} label @param {Record<string, string | number>} more */
export function text(name, label, more) {
  const id = freshId(name);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el('input', { id, name, type: 'text', required: true, autocomplete: 'off', spellcheck: 'false', ...more }),
  );
}

/**
 * Hides a field, which is then neither required nor sent, or shows it. @param {HTMLElement} field @param {boolean} on
 */
export function show(field, on) {
  field.hidden = !on;
  const input = field.querySelector('input');
  if (input) input.disabled = !on;
}
