/* global Element, document */
import { el, fill } from '../shell/dom.js';
import { go } from '../shell/router.js';
import { span, urgency, when } from '../shell/time.js';
import { shortId } from '../shell/words.js';
import { stateChip, flags } from './queue-chips.js';

/** @typedef {import('../types').QueueItem} QueueItem */

const COLUMNS = ['Reference', 'Partner', 'Country', 'Tier', 'State', 'Waiting', 'Assignee', 'Flags'];

/** A table that keeps the row elements when their content changes, so that the focus stays on its row. */
export class QueueTable {
  /** @param {string} myId */
  constructor(myId) {
    this.myId = myId;
    this.words = '';
    /** @type {Map<string, { row: HTMLTableRowElement, link: HTMLAnchorElement, text: string }>} */
    this.rows = new Map();
    this.body = el('tbody', { role: 'rowgroup' });
    this.empty = el('p', { class: 'empty muted', hidden: true });
    this.element = el(
      'div',
      null,
      el(
        'table',
        { class: 'queue', role: 'table' },
        el('caption', { class: 'visually-hidden' }, 'Account requests'),
        el(
          'thead',
          { role: 'rowgroup' },
          el(
            'tr',
            { role: 'row' },
            COLUMNS.map((name) => el('th', { scope: 'col', role: 'columnheader' }, name)),
          ),
        ),
        this.body,
      ),
      this.empty,
    );
  }

  get ids() {
    return [...this.rows.keys()];
  }
  get size() {
    return this.rows.size;
  }
  get links() {
    return [...this.rows.values()].filter(({ row }) => !row.hidden).map(({ link }) => link);
  }

  /** @param {readonly QueueItem[]} items */
  show(items) {
    const held = document.activeElement;
    const gone = this.ids.filter((id) => !items.some((item) => item.id === id));
    for (const id of gone) {
      const kept = this.rows.get(id);
      // A row with the focus stays until it loses the focus.
      if (kept?.row.contains(held)) kept.row.classList.add('gone');
      else {
        kept?.row.remove();
        this.rows.delete(id);
      }
    }
    const order = items.map((item) => this.put(item));
    // Moves only rows that are out of place, because moving an element removes its focus.
    order.forEach((row, at) => {
      const there = [...this.body.children].filter((one) => !one.classList.contains('gone'))[at];
      if (there !== row) this.body.insertBefore(row, there ?? null);
    });
    if (held instanceof Element && /** @type {HTMLElement} */ (held).isConnected && document.activeElement !== held)
      /** @type {HTMLElement} */ (held).focus();
    this.narrow(this.words);
  }

  /** @param {QueueItem} item */
  put(item) {
    let known = this.rows.get(item.id);
    if (!known) {
      const link = el('a', { href: `/console/requests/${item.id}`, class: 'reference mono' }, shortId(item.id));
      known = {
        row: el('tr', {
          role: 'row',
          onclick: (/** @type {MouseEvent} */ event) => {
            if (!(event.target instanceof Element && event.target.closest('a'))) go(`/console/requests/${item.id}`);
          },
        }),
        link,
        text: '',
      };
      this.rows.set(item.id, known);
      known.row.append(
        el('td', { role: 'cell' }, link, el('small')),
        ...COLUMNS.slice(1).map((name) => el('td', { role: 'cell', 'data-name': name })),
      );
    }
    const { row } = known;
    row.classList.remove('gone');
    known.text = [item.id, item.partner.alias, item['external-id'], item.country, item.assignee?.name]
      .join(' ')
      .toLowerCase();
    const small = row.querySelector('small');
    if (small) small.textContent = item['external-id'] ?? '';
    const cells = this.cells(item);
    [...row.children].slice(1).forEach((cell, at) => fill(cell, ...(cells[at] ?? [])));
    return row;
  }

  /**
   * The contents of the cells after the first.
   * @param {QueueItem} item
   * @returns {import('../shell/dom.js').Child[][]}
   */
  cells(item) {
    const open = item.status === 'pending';
    const mine = item.assignee?.id === this.myId;
    return [
      [item.partner.alias, item.mode === 'reliance' && el('small', null, 'reliance')],
      [item.country],
      [el('span', { class: 'number' }, `${item['reward-tier']} %`)],
      [stateChip(item)],
      [
        open
          ? el(
              'span',
              { class: `number age ${urgency(item['age-seconds'])}`, title: `Came ${when(item['created-at'])}` },
              span(item['age-seconds']),
            )
          : el(
              'span',
              { class: 'muted', title: `Came ${when(item['created-at'])}` },
              `Since ${when(item['status-updated-at'])}`,
            ),
        open &&
          el(
            'small',
            { title: `In this state since ${when(item['stage-since'])}` },
            `in this state ${span(item['stage-age-seconds'])}`,
          ),
      ],
      [
        item.assignee
          ? el('span', { class: mine ? 'mine' : '' }, mine ? 'You' : (item.assignee.name ?? shortId(item.assignee.id)))
          : el('span', { class: 'muted' }, 'Unassigned'),
      ],
      [flags(item)],
    ];
  }

  /** Hides rows that do not contain all these words, and returns the number of rows left. @param {string} words */
  narrow(words) {
    this.words = words;
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of this.rows.values()) {
      row.hidden = !wanted.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    this.empty.hidden = shown > 0;
    this.empty.textContent =
      this.rows.size === 0 ? 'Nothing here. New entries appear automatically.' : 'No matches on this page.';
    return shown;
  }

  /** Moves the focus to the next or previous row. @param {1 | -1} by */
  step(by) {
    const links = this.links;
    const at = links.findIndex((link) => link === document.activeElement);
    const next =
      links[at === -1 ? (by === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {string} id */
  focus(id) {
    const link = this.rows.get(id)?.link;
    link?.focus();
    return link !== undefined;
  }

  open() {
    this.links[0]?.click();
  }
}
