import { el } from '../shell/dom.js';

/**
 * @typedef {import('../shell/dom.js').Child} Child
 * @typedef {{ head: string, of: (row: any) => Child | Child[], number?: boolean }} Column
 */

/**
 * A table that scrolls sideways in a narrow window.
 * @param {string} name
 * @param {Column[]} columns
 * @param {any[]} rows
 */
export const sheet = (name, columns, rows) =>
  el(
    'div',
    { class: 'sheet', tabindex: '0', role: 'group', 'aria-label': name },
    el(
      'table',
      null,
      el('caption', { class: 'visually-hidden' }, name),
      el(
        'thead',
        null,
        el(
          'tr',
          null,
          columns.map(({ head, number }) => el('th', { scope: 'col', class: number && 'number' }, head)),
        ),
      ),
      el(
        'tbody',
        null,
        rows.map((row) =>
          el(
            'tr',
            null,
            columns.map(({ of, number }) => {
              const cell = of(row);
              return el('td', { class: number && 'number' }, ...(Array.isArray(cell) ? cell : [cell]));
            }),
          ),
        ),
      ),
    ),
  );
