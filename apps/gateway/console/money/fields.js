import { el } from '../shell/dom.js';

/** The bank's reference of a payment. */
export const REFERENCE = /^[!-~]{1,60}$/;

/** Attributes of an input whose text no browser should complete or correct. */
export const PLAIN_INPUT = { autocomplete: 'off', spellcheck: 'false' };

/** A field of a dialog. @param {string} id the id of `input` @param {string} label @param {HTMLElement} input */
export const field = (id, label, input) => el('div', { class: 'field' }, el('label', { for: id }, label), input);
