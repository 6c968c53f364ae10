/* global clearTimeout, document, setTimeout */
import { call, Refused, SESSION_RENEWED } from '../shell/api.js';
import { approveDialog, askDialog, escalateDialog, rejectDialog, verdictDialog } from './decide-dialogs.js';
import { hitsOf } from './case-screening.js';
import { actorOf, sentence } from './case-history.js';
import { el, fill, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { me, isApprover, isReviewer } from '../session/session.js';
import { when } from '../shell/time.js';
import { shortId, STATUSES } from '../shell/words.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').QueueItem} QueueItem
 * @typedef {import('../types').HistoryEntry} HistoryEntry
 * @typedef {import('../types').Standing} Standing
 * @typedef {'claim' | 'release' | 'approve' | 'reject' | 'ask-information' | 'escalate'} Verb
 * @typedef {{ id: string, opened: Case, signal: AbortSignal, next: () => string | undefined, changed: (standing:
 *   Standing) => void, reopen: () => Promise<void> }} Parts
 */

const WATCH_MS = 5_000;
/** Someone was quicker, or the case is not what it was. */
const CONFLICTS = [
  'review-not-open',
  'review-claimed',
  'role-not-allowed',
  'second-approver-required',
  'screening-verdict-required',
  'true-match-found',
];
const KEYS = /** @type {const} */ ({
  claim: 'c',
  release: 'u',
  approve: 'a',
  'ask-information': 'i',
  reject: 'x',
  escalate: 'e',
});
const DONE = /** @type {const} */ ({
  claim: 'The case is yours.',
  release: 'Released: anybody may claim it.',
  approve: 'Approved.',
  reject: 'Rejected.',
  'ask-information': 'The partner is asked.',
  escalate: 'Escalated: an approver decides it.',
});

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
    this.watch();
  }

  get mine() {
    return this.item.assignee?.id === me()['staff-id'];
  }
  get open() {
    return this.item.status === 'pending' && this.item['review-stage'] === 'manual-review';
  }

  /** Why the reader may not do it; empty when they may. @param {Verb} verb @returns {string} */
  hindrance(verb) {
    const { item } = this;
    if (!isReviewer()) return 'Your role reads cases and decides none.';
    if (item.status !== 'pending')
      return `Nothing to decide: ${(STATUSES[item.status]?.label ?? item.status).toLowerCase()} since ${when(item['status-updated-at'])}.`;
    if (!this.open) return 'The request does not wait for a review.';
    if (item.escalated && !isApprover()) return 'It was escalated: approvers alone decide it.';
    const others = item.assignee !== null && !this.mine;
    if (others && !isApprover()) return `${item.assignee?.name ?? 'Someone else'} has claimed it.`;
    if (others && verb !== 'claim' && verb !== 'release')
      return `${item.assignee?.name ?? 'Someone else'} has claimed it. Take it over first.`;
    if (verb === 'claim' && this.mine) return 'It is yours already.';
    if (verb === 'release' && item.assignee === null) return 'No one has claimed it.';
    if (verb === 'escalate' && item.escalated) return 'It is escalated already.';
    const hits = hitsOf(this.parts.opened);
    const isTrueMatch =
      item.causes.includes('true-match') || hits.some(({ hit }) => hit.verdict?.verdict === 'true-match');
    if (isTrueMatch && (verb === 'approve' || verb === 'ask-information'))
      return 'A hit is this person: the request can only be rejected.';
    const unjudged = hits.filter(({ hit }) => hit.verdict === null).length;
    if (verb === 'approve' && unjudged > 0)
      return unjudged === 1 ? 'A hit has no verdict yet.' : `${unjudged} hits have no verdict yet.`;
    if (verb === 'approve' && item['four-eyes'] && !isApprover())
      return 'Two approvers are required. Only approvers can approve it.';
    if (
      verb === 'approve' &&
      item['four-eyes'] &&
      this.parts.opened.approvals.some(({ id }) => id === me()['staff-id'])
    )
      return 'You have approved it; another approver has to as well.';
    return '';
  }

  paint() {
    const { item } = this;
    const button = (/** @type {Verb} */ verb, /** @type {string} */ label, /** @type {string} */ tone) => {
      const why = this.hindrance(verb);
      // Not `disabled`: that would take the focus away and hide the reason from users who cannot see that the button is grey.
      return el(
        'button',
        {
          type: 'button',
          class: `button ${tone}`,
          'data-verb': verb,
          'aria-disabled': why !== '' ? 'true' : null,
          title: why || null,
          'aria-description': why || null,
          onclick: () => this.start(verb),
        },
        `${label} `,
        el('kbd', null, KEYS[verb]),
      );
    };
    const who =
      item.assignee === null
        ? 'No one has claimed it'
        : this.mine
          ? 'Claimed by you'
          : `Claimed by ${item.assignee.name ?? shortId(item.assignee.id)}`;
    const held = document.activeElement?.closest('.decide [data-verb]')?.getAttribute('data-verb');
    if (!isReviewer() || !this.open) {
      const next = this.parts.next();
      fill(
        this.element,
        el(
          'div',
          { class: 'decide-row' },
          el('span', { class: 'muted' }, this.hindrance('approve')),
          next && el('a', { class: 'button small', href: next }, 'Next request ', el('kbd', null, 'n')),
        ),
        this.news,
      );
    } else {
      const reason = this.hindrance('approve');
      fill(
        this.element,
        el(
          'div',
          { class: 'decide-row' },
          el('span', { class: 'assignee' }, who),
          item.assignee === null || !this.mine
            ? button('claim', item.assignee === null ? 'Claim' : 'Take over', '')
            : button('release', 'Release', ''),
          el('span', { class: 'gap' }),
          button('ask-information', 'Ask for information', ''),
          button('escalate', 'Escalate', ''),
          button('reject', 'Reject', 'danger'),
          button(
            'approve',
            item['four-eyes'] ? (item.approvals > 0 ? 'Approve, second of two' : 'Approve, first of two') : 'Approve',
            'primary',
          ),
        ),
        reason && el('p', { class: 'muted small' }, reason),
        this.news,
      );
    }
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
        return void this.at(() => send(this.item.assignee === null ? {} : { 'take-over': true }));
      case 'release':
        return void this.at(() => send({}));
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

  /** Without a dialog a refusal is shown at the foot of the page. @param {() => Promise<void>} run */
  async at(run) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      tell(error.message);
    }
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
          ? 'Approved, first of two. Another approver has to approve as well.'
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
      const {
        verdict,
        reason,
        note = null,
      } = /** @type {{ verdict: 'false-positive' | 'true-match', reason: string, note?: string | null }} */ (body);
      for (const { hits } of this.parts.opened.screening.filter((one) => one.person === person)) {
        for (const one of hits) {
          if (one.list === hit.list && one['entry-id'] === hit['entry-id'])
            one.verdict = {
              verdict,
              reason,
              note,
              staff: { id: me()['staff-id'], name: me().name },
              at: new Date().toISOString(),
            };
        }
      }
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
    const others = standing.history
      .slice(this.told)
      .filter(({ facts, actor }) => facts['staff-id'] !== me()['staff-id'] && actor !== me()['staff-id']);
    const said = others.map((entry) =>
      el('span', { class: 'line' }, `${when(entry.at)}: ${sentence(entry)}, by ${actorOf(entry)}`),
    );
    const again = el(
      'button',
      { type: 'button', class: 'button small', onclick: () => void this.at(() => this.parts.reopen()) },
      'Read the case again ',
      el('kbd', null, 'o'),
    );
    fill(
      this.news,
      note(
        'warn',
        [el('strong', null, `${title}. `), why],
        said.length > 0 ? said : null,
        typed !== '' ? ['You had written: ', el('q', null, typed)] : null,
        again,
      ),
    );
    this.follow(standing);
    tell([`${title}.`, why, ...others.map((entry) => `${sentence(entry)}, by ${actorOf(entry)}.`)].join(' '));
  }

  /** Looks now and then whether someone else has moved the case; nothing personal is read for that. */
  watch() {
    const { signal } = this.parts;
    const turn = async () => {
      try {
        if (!document.hidden) {
          const seen = this.seen;
          const standing = await this.standing(true);
          const moved = standing.history
            .slice(seen)
            .some(({ facts, actor }) => facts['staff-id'] !== me()['staff-id'] && actor !== me()['staff-id']);
          if (!signal.aborted && seen === this.seen && standing.history.length > seen) {
            // The message about a decision that was not sent stays, and so does the typed text.
            if (moved && !this.news.hasChildNodes())
              this.tellNews(standing, 'This case has changed', 'It was moved while you looked.', '');
            else this.follow(standing);
          }
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
      }
      timer = setTimeout(turn, WATCH_MS);
    };
    let timer = setTimeout(turn, WATCH_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  keys() {
    const key = (/** @type {Verb} */ verb, /** @type {string} */ says) => ({
      key: KEYS[verb],
      says,
      run: () => this.start(verb),
      when: isReviewer,
    });
    return [
      key('claim', 'Claim, or take over'),
      key('release', 'Release'),
      key('approve', 'Approve'),
      key('reject', 'Reject'),
      key('ask-information', 'Ask for information'),
      key('escalate', 'Escalate'),
      { key: 'o', says: 'Read the case again', run: () => void this.at(() => this.parts.reopen()) },
    ];
  }
}
