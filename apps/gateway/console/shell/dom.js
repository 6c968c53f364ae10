/* global document */

/**
 * @typedef {Node | string | number | false | null | undefined} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * Creates an element with attributes and children. Strings become text nodes and never markup, so user input is shown
 * and never run. An attribute whose value is a function is an event listener (`on…`); `true` sets an empty attribute;
 * false, null and undefined omit it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
const nodes = (children) =>
  children
    .flat()
    .flatMap((child) =>
      child === false || child === null || child === undefined
        ? []
        : [typeof child === 'number' ? String(child) : child],
    );

/** Replaces all children of `parent`. @param {Element} parent @param {...(Child | Child[])} children */
export const fill = (parent, ...children) => parent.replaceChildren(...nodes(children));

/**
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {HTMLElement} */ (found);
}

/**
 * Moves the focus to the heading of the page: for keyboards the next element is the first of the page, and screen
 * readers say where the user is. The heading needs a `tabindex` of -1.
 */
export const focusHeading = () => document.querySelector('h1')?.focus();

let made = 0;
/** An id that is unique on this page. @param {string} word */
export const freshId = (word) => `${word}-${(made += 1)}`;

/** @param {string} text @param {'good' | 'warn' | 'bad' | 'info' | ''} [tone] @param {string} [title] */
export const chip = (text, tone = '', title) => el('span', { class: `chip ${tone}`, title }, text);

/**
 * A card with a heading.
 * @param {string} title
 * @param {{ aside?: Child | Child[], class?: string, wide?: boolean }} options `wide`: content that may scroll
 *   sideways, also with the keyboard
 * @param {...(Child | Child[])} body
 */
export function card(title, options, ...body) {
  const id = freshId('title');
  return el(
    'section',
    { class: `card ${options.class ?? ''}`, 'aria-labelledby': id },
    el('header', null, el('h2', { id }, title), options.aside ?? null),
    el(
      'div',
      { class: 'body', ...(options.wide ? { tabindex: '0', role: 'group', 'aria-labelledby': id } : {}) },
      ...body,
    ),
  );
}

/** Highlighted paragraphs. @param {'' | 'warn' | 'bad' | 'good'} tone @param {...(Child | Child[])} texts */
export const note = (tone, ...texts) =>
  el('div', { class: `note ${tone}` }, el('div', null, ...texts.map((text) => el('p', null, text))));

/** @param {string[]} names */
export const tableHead = (names) =>
  el(
    'thead',
    null,
    el(
      'tr',
      null,
      names.map((name) => el('th', { scope: 'col' }, name)),
    ),
  );
