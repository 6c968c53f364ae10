/* global FormData */
import { el, fill, freshId } from './dom.js';
import { typedId } from './ids.js';

/**
 * A form in which staff type the id of something to open it.
 * @param {object} form
 * @param {string} form.of what has the id, such as "an account"
 * @param {string} form.label
 * @param {string} form.button
 * @param {(id: string) => unknown} form.open called with the id in lower case
 * @param {string} [form.value] the id that is shown at first
 * @param {boolean} [form.mayBeEmpty] whether `open` is also called with an empty id
 */
export function idForm({ of, label, button, open, value = '', mayBeEmpty = false }) {
  const id = freshId('id');
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  return el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const text = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('id') ?? '').trim();
        const typed = typedId(text);
        if (typed !== '' || (mayBeEmpty && text === '')) return open(typed);
        wrong.hidden = false;
        fill(wrong, `This is not the id of ${of}.`);
      },
    },
    el(
      'div',
      { class: 'inline' },
      el(
        'div',
        { class: 'field' },
        el('label', { for: id }, label),
        el('input', { id, name: 'id', value, size: 36, autocomplete: 'off', spellcheck: 'false' }),
      ),
      el('button', { class: 'button' }, button),
    ),
    wrong,
  );
}
