/* global document */
import { call, Refused } from '../shell/api.js';
import { approveDialog, askDialog, escalateDialog, rejectDialog, verdictDialog } from './decide-dialogs.js';
import { el, fill } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { CONFLICTS, DONE, FIRST_OF_TWO, hindrance, isOwnChange } from './decision-rules.js';
import { decisionKeys, decisionRow, focusFirst } from './decision-row.js';
import { byOthers, newsNote, newsText, orTell, tellOfRequest } from './case-news.js';
import { sendVerdict } from './case-verdict.js';
import { watch } from '../shell/watch.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').Standing} Standing
 * @typedef {import('./decision-rules.js').Verb} Verb
 * @typedef {{ id: string, opened: Case, signal: AbortSignal, next: () => string | undefined, changed: (standing:
 *   Standing) => void, reopen: () => Promise<void> }} Parts
 */

/** The decisions that the user can take on the case, with the reasons why others are not possible. */
export class DecisionBar {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.item = parts.opened.item;
    /** The version of the case that the page shows. Decisions name it; another version is refused. */
    this.read = parts.opened.item.version;
    this.seen = parts.opened.history.length;
    /** The number of history entries that the user has seen or caused; later entries by others are shown as news. */
    this.told = this.seen;
    this.element = el('section', { class: 'decide', 'aria-label': 'Decide' });
    this.news = el('div', { class: 'news' });
    this.paint();
    watch(parts.signal, () => this.look());
  }

  /** The reason why the user may not take this decision; empty when it is allowed. @param {Verb | 'verdict'} verb */
  hindrance(verb) {
    return hindrance(verb, this.parts.opened, this.item, this.read);
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
    if (held) focusFirst(this.element, `[data-verb="${held}"]`, 'button');
  }

  /** @param {Verb} verb */
  start(verb) {
    const why = this.hindrance(verb);
    if (why !== '') return tell(why);
    const send = (/** @type {object} */ body) => this.send(verb, body);
    // Taken before the dialog opens: the page may change under it.
    const version = this.read;
    const decide = (/** @type {object} */ body) => send({ ...body, version });
    switch (verb) {
      case 'claim':
        return void orTell(() => send(this.item.assignee === null ? {} : { 'take-over': true }));
      case 'release':
        return void orTell(() => send({}));
      case 'approve':
        return void approveDialog(this.item, decide).then(() => this.settle());
      case 'reject':
        return void rejectDialog(this.item, decide).then(() => this.settle());
      case 'ask-information':
        return void askDialog(this.parts.opened, decide).then(() => this.settle());
      case 'escalate':
        return void escalateDialog(decide).then(() => this.settle());
    }
  }

  /** Moves the focus, because the button that had it may no longer exist after its action. */
  settle() {
    const isLost = document.activeElement?.matches('body, h1') ?? true;
    if (!this.parts.signal.aborted && isLost) focusFirst(this.element, 'button, a');
  }

  /**
   * Throws `Refused` for errors that the dialog shows. A conflict is shown on the page instead.
   * @param {Verb} verb @param {object} body
   */
  async send(verb, body) {
    const { id, signal, opened } = this.parts;
    const seen = this.seen;
    try {
      const { 'account-request': item } = await call('POST', `/staff/v1/account-requests/${id}/${verb}`, {
        body: verb === 'release' ? undefined : body,
      });
      this.note(/** @type {{ reason?: string, items?: string[] }} */ (body));
      const standing = await this.standing().catch(() => null);
      // The decision was made, even if the new state cannot be read now.
      if (standing === null) this.follow({ ...opened, 'account-request': item });
      else this.take(standing, seen);
      tellOfRequest(this.parts, verb === 'approve' && item.status === 'pending' ? FIRST_OF_TWO : DONE[verb]);
    } catch (error) {
      if (signal.aborted || !(error instanceof Refused) || !CONFLICTS.includes(error.code)) throw error;
      await this.conflict(error, /** @type {{ note?: string }} */ (body).note ?? '');
    }
  }

  /** @param {boolean} [background] @returns {Promise<Standing>} */
  standing(background = false) {
    const { id, signal } = this.parts;
    return call('GET', `/staff/v1/account-requests/${id}/history`, { background, signal });
  }

  /**
   * Opens the dialog for the verdict on a hit, sends the verdict and shows it.
   * @param {'holder' | 'representative'} person @param {import('../types').Hit} hit
   */
  judge(person, hit) {
    const why = this.hindrance('verdict');
    if (why !== '') return tell(why);
    return void verdictDialog(this.parts.id, person, hit, async (body) => {
      const seen = this.seen;
      await sendVerdict(this.parts, person, hit, body);
      const standing = await this.standing().catch(() => null);
      if (standing !== null) this.take(standing, seen);
      tellOfRequest(this.parts, 'The verdict is recorded.');
    }).then(() => this.settle());
  }

  /** Stores what the queue item does not contain. @param {{ reason?: string, items?: string[] }} body */
  note({ reason, items }) {
    const { opened } = this.parts;
    if (reason) opened['internal-reason'] = reason;
    if (items) opened.request.requirements.missing = items;
  }

  /**
   * Shows the case after an action of the user, who need not read the own decision. A change by others stays unread.
   * @param {Standing} standing @param {number} seen the number of history entries before the action
   */
  take(standing, seen) {
    if (isOwnChange(standing, this.read, seen)) this.read += 1;
    if (standing['account-request'].version !== this.read) return this.tellChanged(standing);
    fill(this.news);
    this.told = standing.history.length;
    this.follow(standing);
  }

  /** Shows the current state of the case and keeps the message about a change. @param {Standing} standing */
  follow(standing) {
    this.item = standing['account-request'];
    this.seen = standing.history.length;
    this.parts.changed(standing);
    this.paint();
  }

  /**
   * Shows a decision that someone else made meanwhile, together with the note that was not sent, until the user has
   * read them.
   * @param {Refused} refusal @param {string} typed
   */
  async conflict(refusal, typed) {
    const { signal } = this.parts;
    const standing = await this.standing().catch((error) => Promise.reject(signal.aborted ? refusal : error));
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
    if (moved) this.tellChanged(standing);
    else this.follow(standing);
  }

  /** Tells that others changed the case. Keeps the message about a decision that was not sent, and the typed text. */
  tellChanged(/** @type {Standing} */ standing) {
    if (this.news.hasChildNodes()) return this.follow(standing);
    this.tellNews(standing, 'This case has changed', 'It changed while you were viewing it.', '');
  }

  keys() {
    return decisionKeys(
      (verb) => this.start(verb),
      () => void orTell(() => this.parts.reopen()),
    );
  }
}
