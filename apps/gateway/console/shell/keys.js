/* global document, HTMLElement, HTMLInputElement, localStorage */
import { openDialog } from './dialogs.js';
import { el, freshId } from './dom.js';

/**
 * @typedef {object} Shortcut
 * @property {string} key as in `KeyboardEvent.key`
 * @property {string} says description for the list under `?`
 * @property {() => void} run
 * @property {() => boolean} [when] whether it can be used now
 */

/** @type {Shortcut[]} */
let ofPage = [];
/** @type {Shortcut[]} */
const everywhere = [{ key: '?', says: 'This list', run: () => showKeys() }];

/** @param {Shortcut} shortcut */
export const alwaysOn = (shortcut) => {
  everywhere.push(shortcut);
};

/** Sets the shortcuts of the current page. @param {Shortcut[]} shortcuts */
export const usePageKeys = (shortcuts) => {
  ofPage = shortcuts;
};

const SETTING = 'character-keys';
/**
 * Whether letters, digits and symbols are shortcuts. Users of speech input switch them off, in this browser.
 */
let characterKeys = localStorage.getItem(SETTING) !== 'off';

/** @param {boolean} isOn */
function useCharacterKeys(isOn) {
  characterKeys = isOn;
  localStorage.setItem(SETTING, isOn ? 'on' : 'off');
}

/** @param {string} key */
const isCharacter = (key) => key.length === 1;

const TYPED_IN = ['text', 'search', 'password', 'email', 'number', 'date', 'datetime-local'];

/** Whether the user is typing in a field, where letters are not shortcuts. @param {EventTarget | null} target */
function isTyping(target) {
  if (target instanceof HTMLInputElement) return TYPED_IN.includes(target.type);
  return target instanceof HTMLElement && (target.matches('textarea, select') || target.isContentEditable);
}

export function listenForKeys() {
  document.addEventListener('keydown', (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (event.repeat && event.key === 'Enter')
    )
      return;
    if (event.key === 'Escape' && isTyping(event.target) && !document.querySelector('dialog[open]')) {
      /** @type {HTMLElement} */ (event.target).blur();
      return;
    }
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (!characterKeys && isCharacter(event.key)) return;
    const shortcut = [...ofPage, ...everywhere].find((one) => one.key === event.key && (one.when?.() ?? true));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  });
}

/** @param {string} key */
const named = (key) => ({ ArrowLeft: '←', ArrowRight: '→', ' ': 'Space' })[key] ?? key;

function characterKeysField() {
  const hint = freshId('hint');
  const input = el('input', {
    type: 'checkbox',
    checked: characterKeys,
    'aria-describedby': hint,
    onchange: () => useCharacterKeys(input.checked),
  });
  return el(
    'label',
    { class: 'choice' },
    input,
    el(
      'span',
      null,
      'Use letters, digits and symbols as shortcuts',
      el('small', { id: hint }, 'In this browser. Switch them off if you use speech input.'),
    ),
  );
}

export function showKeys() {
  const list = (/** @type {Shortcut[]} */ shortcuts) =>
    el(
      'dl',
      { class: 'keys' },
      shortcuts.flatMap(({ key, says }) => [el('dt', null, el('kbd', null, named(key))), el('dd', null, says)]),
    );
  void openDialog('Keyboard', (close) => [
    ofPage.length > 0 && el('h3', null, 'On this page'),
    ofPage.length > 0 && list(ofPage),
    el('h3', null, 'Everywhere'),
    list(everywhere),
    el(
      'p',
      { class: 'muted small' },
      'Letter keys do nothing while you type in a field. Press Escape to leave the field or close a dialog.',
    ),
    characterKeysField(),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'button', onclick: () => close(undefined) }, 'Close'),
    ),
  ]);
}
