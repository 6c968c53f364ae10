/* global document, setTimeout */
import { el, find } from './dom.js';

const SHOWN_MS = 8_000;
const MAX_SHOWN = 2;

/** Announces a text to users of a screen reader. @param {string} text */
export function announce(text) {
  const region = find('#live');
  region.textContent = '';
  // In another task, so that the same text is announced again.
  setTimeout(() => {
    region.textContent = text;
  }, 30);
}

/** Shows a message at the foot of the page and announces it. The focus stays where it is. @param {string} text */
export function tell(text) {
  const host = find('#messages');
  const message = el(
    'div',
    { class: 'message' },
    el('span', null, text),
    el('button', { type: 'button', onclick: () => message.remove() }, 'Close'),
  );
  while (host.childElementCount >= MAX_SHOWN) host.firstElementChild?.remove();
  host.append(message);
  announce(text);
  const goes = () => {
    if (message.contains(document.activeElement) || message.matches(':hover')) setTimeout(goes, SHOWN_MS);
    else message.remove();
  };
  setTimeout(goes, SHOWN_MS);
}

/** Removes the messages, which belong to the page that showed them. */
export const hush = () => find('#messages').replaceChildren();
