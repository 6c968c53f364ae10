/* global ResizeObserver */
import { DocumentPane } from './document-pane.js';
import { callBytes } from '../shell/api.js';
import { chip, el, fill, freshId } from '../shell/dom.js';

/** @typedef {import('../types').CaseFile} CaseFile */

const LAYOUTS = [
  { name: 'side', label: 'Side by side' },
  { name: 'stacked', label: 'Stacked' },
  { name: 'one', label: 'One' },
];

/** Two panes of documents. Each document is fetched once per visit, because every fetch is recorded as a view. */
export class DocumentViewer {
  /**
   * @param {{ files: readonly CaseFile[], address: (fileId: string) => string, signal: AbortSignal, atOnce: boolean }}
   *   options
   */
  constructor({ files, address, signal, atOnce }) {
    this.files = files;
    /** @type {Map<string, Promise<Blob>>} */
    const fetched = new Map();
    const bytes = (/** @type {string} */ id) => {
      const known = fetched.get(id) ?? callBytes(address(id), signal);
      fetched.set(id, known);
      // A document that could not be fetched can be requested again.
      known.catch(() => fetched.delete(id));
      return known;
    };
    const headingId = freshId('title');
    this.grid = el('div', { class: 'panes' });
    this.panes = files
      .slice(0, 2)
      .map(
        (file, at) => new DocumentPane({ files, bytes, signal, name: at === 0 ? 'Left' : 'Right', chosen: file.id }),
      );
    this.active = this.panes[0];
    for (const pane of this.panes)
      pane.element.addEventListener('focusin', () => {
        this.active = pane;
      });
    this.layouts = LAYOUTS.map(({ name, label }) =>
      el(
        'button',
        {
          type: 'button',
          class: 'button small',
          'data-layout': name,
          'aria-pressed': 'false',
          onclick: () => this.arrange(name),
        },
        label,
      ),
    );
    this.element = el(
      'section',
      { class: 'card documents', 'aria-labelledby': headingId },
      el(
        'header',
        null,
        el('h2', { id: headingId }, 'Documents'),
        chip(String(files.length)),
        this.panes.length > 1 &&
          el(
            'span',
            { class: 'grow segments', role: 'group', 'aria-label': 'Arrange the documents' },
            this.layouts,
            el('kbd', null, 'v'),
          ),
      ),
      this.grid,
    );
    this.arrange('side');
    if (files.length === 0) fill(this.grid, el('p', { class: 'empty muted' }, 'This case has no documents.'));
    else if (atOnce) this.open();
    else
      fill(
        this.grid,
        el(
          'div',
          { class: 'empty' },
          el('p', { class: 'muted' }, 'Each document that you open is recorded as well.'),
          el('button', { type: 'button', class: 'button', onclick: () => this.open() }, 'Show the documents'),
        ),
      );
  }

  open() {
    fill(
      this.grid,
      this.panes.map(({ element }) => element),
    );
    for (const pane of this.panes) void pane.show();
    const observer = new ResizeObserver(() => {
      for (const pane of this.panes) pane.layout();
    });
    for (const pane of this.panes) observer.observe(pane.stage);
  }

  /** @param {string} layout */
  arrange(layout) {
    this.layout = layout;
    this.grid.classList.toggle('stacked', layout === 'stacked');
    const second = this.panes[1];
    if (second) second.element.hidden = layout === 'one';
    if (layout === 'one') this.active = this.panes[0];
    for (const button of this.layouts) button.setAttribute('aria-pressed', String(button.dataset.layout === layout));
  }

  keys() {
    const shown = () => this.grid.contains(this.panes[0]?.element ?? null);
    const on = (
      /** @type {string} */ key,
      /** @type {string} */ says,
      /** @type {(pane: DocumentPane) => void} */ run,
    ) => ({
      key,
      says,
      run: () => {
        if (this.active) run(this.active);
      },
      when: shown,
    });
    return [
      on('+', 'Zoom in', (pane) => pane.zoomBy(1)),
      on('-', 'Zoom out', (pane) => pane.zoomBy(-1)),
      on('0', 'Fit the document', (pane) => pane.fit()),
      on('r', 'Rotate the document', (pane) => pane.rotate()),
      on('d', 'Show another document in this pane', (pane) => pane.following()),
      { key: 't', says: 'To the other pane', run: () => this.other(), when: shown },
      {
        key: 'v',
        says: 'Side by side, one above the other, or one alone',
        run: () =>
          this.arrange(
            LAYOUTS[(LAYOUTS.findIndex(({ name }) => name === this.layout) + 1) % LAYOUTS.length]?.name ?? 'side',
          ),
        when: () => shown() && this.panes.length > 1,
      },
      ...(this.panes.length > 0
        ? [{ key: 's', says: 'Show the documents', run: () => this.open(), when: () => !shown() }]
        : []),
    ];
  }

  other() {
    const visible = this.panes.filter(({ element }) => !element.hidden);
    const next = visible[(visible.indexOf(/** @type {DocumentPane} */ (this.active)) + 1) % visible.length];
    next?.stage.focus();
  }
}
