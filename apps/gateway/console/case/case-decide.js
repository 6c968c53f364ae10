/* global document */
import { call, Refused, SESSION_RENEWED } from '../shell/api.js';
import { approveDialog, askDialog, escalateDialog, rejectDialog, verdictDialog } from './decide-dialogs.js';
import { el, fill } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { CONFLICTS, DONE, hindrance } from './decision-rules.js';
import { decisionKeys, decisionRow } from './decision-row.js';
import { byOthers, newsNote, newsText, orTell, watch } from './case-news.js';
import { showVerdict } from './case-verdict.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').Standing} Standing
 * @typedef {import('./decision-rules.js').Verb} Verb
 * @typedef {{ id: string, opened: Case, signal: AbortSignal, next: () => string | undefined, changed: (standing:
 *   Standing) => void, reopen: () => Promise<void> }} Parts
 */

/** What this reader can do with the case, and why not the rest. */
export class DecisionBar {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.item = parts.opened.item;
    this.seen = parts.opened.history.length;
    /** What others did since then is shown: since the case was read, or since this reader last did something. */
    this.told = this.seen;
    this.element = el('section', { class: 'decide', 'aria-label': 'Decide' });
    this.news = el('div', { class: 'news' });
    this.paint();
    watch(parts.signal, () => this.look());
  }

  /** Why the reader may not do it; empty when they may. @param {Verb} verb */
  hindrance(verb) {
    return hindrance(verb, this.parts.opened, this.item);
  }

  paint() {
    const held = document.activeElement?.closest('.decide [data-verb]')?.getAttribute('data-verb');
    const row = decisionRow({
      item: this.item,
      why: (verb) => this.hindrance(verb),
      start: (verb) => this.start(verb),
      next: this.parts.next,
    });
    fill(this.element, row, this.news);
    if (held)
      /** @type {HTMLElement | null} */ (
        this.element.querySelector(`[data-verb="${held}"]`) ??
          this.element.querySelector('button') ??
          document.querySelector('h1')
      )?.focus();
  }

  /** @param {Verb} verb */
  start(verb) {
    const why = this.hindrance(verb);
    if (why !== '') return tell(why);
    const send = (/** @type {object} */ body) => this.send(verb, body);
    switch (verb) {
      case 'claim':
        return void orTell(() => send(this.item.assignee === null ? {} : { 'take-over': true }));
      case 'release':
        return void orTell(() => send({}));
      case 'approve':
        return void approveDialog(this.item, send).then(() => this.settle());
      case 'reject':
        return void rejectDialog(this.item, send).then(() => this.settle());
      case 'ask-information':
        return void askDialog(this.parts.opened, send).then(() => this.settle());
      case 'escalate':
        return void escalateDialog(send).then(() => this.settle());
    }
  }

  /** The button that had the focus may be gone with what it did. */
  settle() {
    if (this.parts.signal.aborted || (document.activeElement !== null && document.activeElement !== document.body))
      return;
    /** @type {HTMLElement | null} */ (
      this.element.querySelector('button, a') ?? document.querySelector('h1')
    )?.focus();
  }

  /**
   * Throws `Refused` for what the dialog should say; a conflict is shown on the page instead. @param {Verb} verb @param
   * {object} body
   */
  async send(verb, body) {
    const { id, signal, opened } = this.parts;
    try {
      const { 'account-request': item } = await call('POST', `/staff/v1/account-requests/${id}/${verb}`, {
        body: verb === 'release' ? undefined : body,
        signal,
      });
      this.note(/** @type {{ reason?: string, items?: string[] }} */ (body));
      // It is done, whether what happened can be read just now or not.
      const standing = await this.standing().catch(() => ({
        history: opened.history,
        'account-request': item,
        checklist: opened.checklist,
        approvals: opened.approvals,
      }));
      this.take(standing);
      tell(
        verb === 'approve' && item.status === 'pending'
          ? 'Approved, first of two. Another approver must also approve.'
          : DONE[verb],
      );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.code === SESSION_RENEWED || !CONFLICTS.includes(error.code)) throw error;
      await this.conflict(error, /** @type {{ note?: string }} */ (body).note ?? '');
    }
  }

  /** @param {boolean} [background] @returns {Promise<Standing>} */
  standing(background = false) {
    const { id, signal } = this.parts;
    return call('GET', `/staff/v1/account-requests/${id}/history`, { background, signal });
  }

  /**
   * Asks for a verdict on a hit, and shows it. @param {'holder' | 'representative'} person @param
   * {import('../types').Hit} hit
   */
  judge(person, hit) {
    const why = this.hindrance('reject');
    if (why !== '') return tell(why);
    return void verdictDialog(person, hit, async (body) => {
      const { id, signal } = this.parts;
      await call('POST', `/staff/v1/account-requests/${id}/verdicts`, { body, signal });
      showVerdict(this.parts.opened, person, hit, /** @type {import('./case-verdict.js').Given} */ (body));
      this.take(await this.standing());
      tell('The verdict is recorded.');
    }).then(() => this.settle());
  }

  /** What the queue's line does not say of a decision. @param {{ reason?: string, items?: string[] }} body */
  note({ reason, items }) {
    const { opened } = this.parts;
    if (reason) opened['internal-reason'] = reason;
    if (items) opened.request.requirements.missing = items;
  }

  /** @param {Standing} standing */
  take(standing) {
    fill(this.news);
    this.told = standing.history.length;
    this.follow(standing);
  }

  /** Shows the current state of the case; the message about the change stays. @param {Standing} standing */
  follow(standing) {
    this.item = standing['account-request'];
    this.seen = standing.history.length;
    this.parts.changed(standing);
    this.paint();
  }

  /**
   * What was decided meanwhile stands on the page until it is read; so does the note that was not sent. @param
   * {Refused} refusal @param {string} typed
   */
  async conflict(refusal, typed) {
    const standing = await this.standing();
    this.tellNews(standing, 'Nothing was sent', refusal.message, typed);
  }

  /** @param {Standing} standing @param {string} title @param {string} why @param {string} typed */
  tellNews(standing, title, why, typed) {
    const others = byOthers(standing.history.slice(this.told));
    const again = () => void orTell(() => this.parts.reopen());
    fill(this.news, newsNote({ title, why, others, typed, again }));
    this.follow(standing);
    tell(newsText(title, why, others));
  }

  async look() {
    const seen = this.seen;
    const standing = await this.standing(true);
    const moved = byOthers(standing.history.slice(seen)).length > 0;
    if (this.parts.signal.aborted || seen !== this.seen || standing.history.length <= seen) return;
    // The message about a decision that was not sent stays, and so does the typed text.
    if (moved && !this.news.hasChildNodes())
      this.tellNews(standing, 'This case has changed', 'It changed while you were viewing it.', '');
    else this.follow(standing);
  }

  keys() {
    return decisionKeys(
      (verb) => this.start(verb),
      () => void orTell(() => this.parts.reopen()),
    );
  }
}
