/* global Image */
import { Refused } from '../shell/api.js';
import { el, fill, freshId, note } from '../shell/dom.js';
import { announce } from '../shell/live.js';
import { drag } from './drag.js';

/** @typedef {import('../types').CaseFile} CaseFile */

const STEP = 1.3;
const MAX_ZOOM = 12;
const PADDING_PX = 8;

/** Shows one chosen document, which can be zoomed, rotated, and moved by dragging or with the arrow keys. */
export class DocumentPane {
  /**
   * @param {{ files: readonly CaseFile[], bytes: (id: string) => Promise<Blob>, signal: AbortSignal, name: string,
   *   chosen: string }} options
   */
  constructor({ files, bytes, signal, name, chosen }) {
    this.files = files;
    this.bytes = bytes;
    this.signal = signal;
    this.zoom = 1;
    this.turn = 0;
    /** The number of times that a document was chosen. */
    this.chosen = 0;
    /** @type {HTMLImageElement | undefined} */
    this.image = undefined;
    /** @type {string | undefined} */
    this.url = undefined;
    const id = freshId('document');
    this.select = el(
      'select',
      { id, onchange: () => void this.show() },
      files.map((file) =>
        el(
          'option',
          { value: file.id, selected: file.id === chosen },
          `${file.label} (${file['content-type'] === 'application/pdf' ? 'PDF' : 'image'})`,
        ),
      ),
    );
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
      el(
        'button',
        {
          type: 'button',
          class: 'button small',
          'aria-label': `${label}, ${name.toLowerCase()} document`,
          title: label,
          onclick: run,
        },
        sign,
      );
    this.tools = el(
      'div',
      { class: 'tools', role: 'group', 'aria-label': `${name} document` },
      button('−', 'Zoom out', () => this.zoomBy(-1)),
      button('+', 'Zoom in', () => this.zoomBy(1)),
      button('Fit', 'Fit', () => this.fit()),
      button('↻', 'Rotate', () => this.rotate()),
    );
    this.stage = el('div', { class: 'stage', tabindex: '0', role: 'region', 'aria-label': `${name} document` });
    this.element = el(
      'div',
      { class: 'pane' },
      el(
        'div',
        { class: 'pane-head' },
        el('label', { for: id, class: 'visually-hidden' }, `${name} document`),
        this.select,
        this.tools,
      ),
      this.stage,
    );
    drag(this.stage);
    signal.addEventListener('abort', () => this.forget());
  }

  /** Fetches and shows the chosen document. */
  async show() {
    const chosen = this.select.value;
    const time = (this.chosen += 1);
    // Another document may be chosen, and shown, before this one has arrived and is decoded.
    const isLeft = () => this.signal.aborted || this.chosen !== time;
    const file = this.files.find(({ id }) => id === chosen);
    this.forget();
    fill(this.stage, el('p', { class: 'empty muted' }, 'Loading…'));
    try {
      const blob = await this.bytes(chosen);
      if (isLeft() || !file) return;
      await (blob.type === 'application/pdf' ? this.showPdf(blob, file, isLeft) : this.showImage(blob, file, isLeft));
    } catch (error) {
      if (isLeft()) return;
      const why =
        error instanceof Refused
          ? error.code === 'case-file-not-found'
            ? 'This document is gone.'
            : error.message
          : 'This document cannot be shown.';
      fill(
        this.stage,
        el(
          'div',
          { class: 'empty' },
          note('bad', why),
          el('button', { type: 'button', class: 'button small', onclick: () => void this.show() }, 'Try again'),
        ),
      );
    }
  }

  /** @param {Blob} blob @param {CaseFile} file @param {() => boolean} isLeft */
  async showImage(blob, file, isLeft) {
    const image = new Image();
    image.alt = file.label;
    image.draggable = false;
    this.url = URL.createObjectURL(blob);
    image.src = this.url;
    await image.decode();
    if (isLeft()) return;
    this.image = image;
    this.sheet = el('div', { class: 'sheet' }, image);
    this.tools.hidden = false;
    fill(this.stage, this.sheet);
    this.fit();
  }

  /**
   * Shows a PDF in the browser's own viewer, in a frame that contains only the file.
   * @param {Blob} blob @param {CaseFile} file @param {() => boolean} isLeft
   */
  async showPdf(blob, file, isLeft) {
    const begin = await blob.slice(0, 5).text();
    if (isLeft()) return;
    if (begin !== '%PDF-') throw new TypeError('not a PDF');
    this.url = URL.createObjectURL(blob);
    this.tools.hidden = true;
    fill(this.stage, el('iframe', { src: `${this.url}#toolbar=1&navpanes=0&view=FitH`, title: file.label }));
  }

  /** Releases the memory of the document that was shown. */
  forget() {
    this.image = undefined;
    this.turn = 0;
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = undefined;
    if (this.signal.aborted) this.stage.replaceChildren();
  }

  fit() {
    this.zoom = 1;
    this.layout();
  }

  /** @param {1 | -1} by */
  zoomBy(by) {
    this.zoom = Math.min(MAX_ZOOM, Math.max(1, this.zoom * STEP ** by));
    this.layout();
    announce(`${Math.round(this.zoom * 100)} %`);
  }

  rotate() {
    this.turn = (this.turn + 90) % 360;
    this.layout();
    announce(`Rotated to ${this.turn} degrees`);
  }

  following() {
    this.select.selectedIndex = (this.select.selectedIndex + 1) % this.select.length;
    void this.show();
  }

  /** Lays out the document and keeps the centre of the visible part in the centre. */
  layout() {
    const { image, sheet, stage, zoom, turn } = this;
    if (!image || !sheet) return;
    const lies = turn % 180 !== 0;
    const [width, height] = lies
      ? [image.naturalHeight, image.naturalWidth]
      : [image.naturalWidth, image.naturalHeight];
    const scale = Math.min((stage.clientWidth - PADDING_PX) / width, (stage.clientHeight - PADDING_PX) / height) * zoom;
    if (!(scale > 0)) return;
    const centre = {
      x: (stage.scrollLeft + stage.clientWidth / 2) / stage.scrollWidth,
      y: (stage.scrollTop + stage.clientHeight / 2) / stage.scrollHeight,
    };
    sheet.style.width = `${width * scale}px`;
    sheet.style.height = `${height * scale}px`;
    image.style.width = `${image.naturalWidth * scale}px`;
    image.style.transform = `translate(-50%, -50%) rotate(${turn}deg)`;
    stage.classList.toggle('zoomed', zoom > 1);
    stage.scrollLeft = centre.x * stage.scrollWidth - stage.clientWidth / 2;
    stage.scrollTop = centre.y * stage.scrollHeight - stage.clientHeight / 2;
  }
}
