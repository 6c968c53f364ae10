/* global document, HTMLElement, AbortController */
import { el, freshId } from './dom.js';

/**
 * @typedef {import('./dom.js').Child} Child
 */

/**
 * A modal dialog. Resolves with what closes it, undefined when it is dismissed; the focus then goes back to where it
 * was.
 * @template T
 * @param {string} title
 * @param {(close: (value: T | undefined) => void) => (Child | Child[])[]} content
 * @param {{ class?: string, dismissable?: boolean, signal?: AbortSignal }} [options]
 * @returns {Promise<T | undefined>}
 */
export function openDialog(title, content, { class: name = '', dismissable = true, signal } = {}) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const id = freshId('dialog');
    const leaving = new AbortController();
    const dialog = el('dialog', { class: name, 'aria-labelledby': id });
    /** @param {T | undefined} value */
    const close = (value) => {
      if (leaving.signal.aborted) return;
      leaving.abort();
      dialog.close();
      dialog.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      resolve(value);
    };
    dialog.append(el('div', { class: 'inside' }, el('h2', { id }, title), ...content(close)));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      if (dismissable) close(undefined);
    });
    // A browser may close it in spite of the above when Escape is pressed twice.
    dialog.addEventListener('close', () => {
      if (leaving.signal.aborted) return;
      if (dismissable) close(undefined);
      else dialog.showModal();
    });
    signal?.addEventListener('abort', () => close(undefined), { signal: leaving.signal });
    document.body.append(dialog);
    dialog.showModal();
    // Not the attribute of that purpose: the page beneath may have the focus, and then it is not heeded.
    const first = dialog.querySelector('[data-focus]');
    if (first instanceof HTMLElement) first.focus();
  });
}

/** Closes whatever is open: the page beneath goes. The curtain of a session that ended stays. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]:not(.curtain)'))
    /** @type {HTMLDialogElement} */ (dialog).close();
}
