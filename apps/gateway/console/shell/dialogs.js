/* global document, HTMLElement, AbortController, FormData */
import { Refused } from './api.js';
import { el, fill, focusHeading, freshId } from './dom.js';
import { tell } from './live.js';

/**
 * @typedef {import('./dom.js').Child} Child
 */

/**
 * Opens a modal dialog. Resolves with the value passed to `close`, or undefined when the dialog is dismissed. Then the
 * focus returns to where it was, or to the heading if the page was shown again meanwhile.
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
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
      else focusHeading();
      resolve(value);
    };
    dialog.append(el('div', { class: 'inside' }, el('h2', { id }, title), ...content(close)));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      if (dismissable) close(undefined);
    });
    // When Escape is pressed twice, a browser may close the dialog in spite of the handler above.
    dialog.addEventListener('close', () => {
      if (leaving.signal.aborted) return;
      if (dismissable) close(undefined);
      else dialog.showModal();
    });
    signal?.addEventListener('abort', () => close(undefined), { signal: leaving.signal });
    document.body.append(dialog);
    dialog.showModal();
    // Not the attribute `autofocus`, which is ignored while the page beneath has the focus.
    const first = dialog.querySelector('[data-focus]');
    if (first instanceof HTMLElement) first.focus();
  });
}

/** The texts of dialogs that were left before they were sent. @type {Map<string, string>} */
const drafts = new Map();

/**
 * Keeps the texts of a dialog, and fills them in when it is opened again. Returns a function that forgets them.
 * @param {HTMLFormElement} form @param {string} name of the draft
 */
function keepDraft(form, name) {
  const areas = [...form.querySelectorAll('textarea')];
  const keyOf = (/** @type {HTMLTextAreaElement} */ area) => `${name} ${area.name}`;
  for (const area of areas) {
    area.value = drafts.get(keyOf(area)) ?? '';
    area.addEventListener('input', () => drafts.set(keyOf(area), area.value));
  }
  return () => areas.forEach((area) => drafts.delete(keyOf(area)));
}

/**
 * A form in a dialog. It stays open, with the typed text, until the server has accepted it or the user cancels. `body`
 * returns a message when something is missing; `quickSend`: Ctrl+Enter sends the form; `draft`: what the form is about,
 * if its texts are kept until they are sent.
 * @param {{ title: string, lead?: Child | Child[], fields: Child[], button: string, danger?: boolean,
 *   quickSend?: boolean, draft?: string, body: (data: FormData) => object | string }} parts
 * @param {(body: object) => Promise<void>} send
 */
export function formDialog({ title, lead, fields, button: label, danger, quickSend, draft, body }, send) {
  return openDialog(title, (close) => {
    const error = el('div', { class: 'note bad', role: 'alert', hidden: true });
    const button = el('button', { class: danger ? 'button danger' : 'button primary' }, label);
    const say = (/** @type {string[]} */ ...texts) => {
      error.hidden = false;
      fill(error, el('div', null, ...texts.map((text) => el('p', null, text))));
    };
    const form = el(
      'form',
      {
        class: 'stack',
        novalidate: true,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (quickSend && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
        },
        onsubmit: async (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          if (button.disabled) return;
          const command = body(new FormData(form));
          if (typeof command === 'string') return say(command);
          button.disabled = true;
          try {
            await send(command);
            forget?.();
            close(undefined);
          } catch (refusal) {
            // The page was left: what it would have read for itself no longer matters.
            if (refusal instanceof Error && refusal.name === 'AbortError' && !form.isConnected) return;
            if (!(refusal instanceof Refused)) throw refusal;
            if (!form.isConnected) return tell(`${title}: ${refusal.messages.join(' ')}`);
            say(...refusal.messages);
            button.disabled = false;
            button.focus();
          }
        },
      },
      lead && el('p', null, lead),
      fields,
      error,
      el(
        'div',
        { class: 'actions' },
        quickSend && el('span', { class: 'muted small hint-send' }, el('kbd', null, 'Ctrl'), ' ', el('kbd', null, '↵')),
        el('button', { type: 'button', class: 'button', onclick: () => close(undefined) }, 'Cancel'),
        button,
      ),
    );
    const forget = draft ? keepDraft(form, draft) : undefined;
    return [form];
  });
}

/**
 * A group of radio buttons in a form.
 * @param {string} legend @param {string} name @param {[value: string, label: string, hint?: string][]} values
 */
export const choices = (legend, name, values) =>
  el(
    'fieldset',
    null,
    el('legend', null, legend),
    el(
      'div',
      { class: 'choices two' },
      values.map(([value, label, hint]) =>
        el(
          'label',
          { class: 'choice' },
          el('input', { type: 'radio', name, value }),
          el('span', null, label, hint && el('small', null, hint)),
        ),
      ),
    ),
  );

/** Closes all open dialogs because the page beneath is left. The dialog of an ended session stays. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]:not(.curtain)'))
    /** @type {HTMLDialogElement} */ (dialog).close();
}
