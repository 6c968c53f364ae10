/* global Event */
import { el, fill, freshId } from '../shell/dom.js';
import { announce } from '../shell/live.js';
import { go } from '../shell/router.js';

/** @typedef {import('./queue-table.js').QueueTable} QueueTable */

/**
 * A field that filters the page while the user types; Enter on a complete reference opens its request.
 * @param {QueueTable} table @param {HTMLElement} found
 */
export function searchField(table, found) {
  const id = freshId('find');
  const input = el('input', {
    id,
    type: 'search',
    placeholder: 'Reference, partner, external id',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      const shown = table.narrow(input.value);
      fill(found, input.value === '' ? '' : `${shown} of ${table.size} on this page`);
      announce(input.value === '' ? '' : `${shown} on this page`);
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape' && input.value !== '') {
        event.preventDefault();
        input.value = '';
        input.dispatchEvent(new Event('input'));
      }
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const typed = input.value.trim().toLowerCase();
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(typed)) go(`/console/requests/${typed}`);
      else table.step(1);
    },
  });
  return el(
    'div',
    { class: 'filter wide' },
    el('label', { for: id }, 'Find on this page ', el('kbd', null, '/')),
    input,
  );
}
