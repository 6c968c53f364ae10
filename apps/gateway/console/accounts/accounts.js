/* global FormData */
import { call, callList, Refused } from '../shell/api.js';
import { choices, formDialog } from '../shell/dialogs.js';
import { card, chip, el, fill, freshId, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { go } from '../shell/router.js';
import { isApprover, isReviewer, maySeeCases, me } from '../session/session.js';
import { when } from '../shell/time.js';
import { FREEZE_REASONS, plain, RELEASE_REASONS, shortId, STANDING_ENTRIES } from '../shell/words.js';

/**
 * @typedef {import('../types').AccountLine} AccountLine
 * @typedef {import('../types').AccountStanding} AccountStanding
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const EVIDENCE_MOST = 2000;

/** @param {string | null} reason */
const reasonOf = (reason) =>
  reason === null ? '' : (FREEZE_REASONS[reason] ?? RELEASE_REASONS[reason] ?? plain(reason));
/** @param {import('../types').Named | null} staff */
const nameOf = (staff) =>
  staff === null ? 'the system' : staff.id === me()['staff-id'] ? 'you' : (staff.name ?? shortId(staff.id));
/** @param {AccountLine} account */
const statusChip = ({ status }) => chip(plain(status), status === 'frozen' ? 'bad' : status === 'active' ? 'good' : '');

/** Accounts that are frozen or that a freeze waits for; any other by its id. @param {Visit} visit */
export async function showAccounts({ main, signal }) {
  const { body } = await callList('/staff/v1/frozen-accounts?limit=200', { signal });
  const field = freshId('account');
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const find = el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const id = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('account') ?? '')
          .trim()
          .toLowerCase();
        if (ID.test(id)) return go(`/console/accounts/${id}`);
        wrong.hidden = false;
        fill(wrong, 'This is not the id of an account.');
      },
    },
    el(
      'div',
      { class: 'field' },
      el('label', { for: field }, 'Account id'),
      el('input', { id: field, name: 'account', autocomplete: 'off', spellcheck: 'false' }),
    ),
    wrong,
    el('button', { class: 'button' }, 'Open'),
  );
  /** @type {AccountLine[]} */
  const accounts = body.accounts;
  const list =
    accounts.length === 0
      ? el('p', { class: 'muted' }, 'No account is frozen, and no freeze waits.')
      : el(
          'ul',
          { class: 'notes' },
          accounts.map((one) =>
            el(
              'li',
              null,
              el(
                'p',
                null,
                maySeeCases()
                  ? el('a', { class: 'mono', href: `/console/accounts/${one.id}` }, shortId(one.id))
                  : el('span', { class: 'mono' }, shortId(one.id)),
                ` ${one.alias} `,
                statusChip(one),
                ' ',
                one['pending-step'] && chip(`${plain(one['pending-step'])} waits for a second member`, 'warn'),
              ),
            ),
          ),
        );
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Accounts'),
    card('Frozen, or about to be', {}, list),
    maySeeCases() && card('Another account', {}, find),
  );
}

/** @param {import('../types').AddressMatch} match */
const matchLine = (match) =>
  el(
    'li',
    null,
    el(
      'p',
      null,
      el('strong', null, plain(match.subject)),
      ' ',
      el('span', { class: 'mono' }, shortId(match['subject-id'])),
      match.chain && ` on ${match.chain}`,
    ),
    el('p', { class: 'mono wrap' }, match.address),
    el('p', null, el('q', null, match.reason)),
    el('p', { class: 'muted small' }, `${nameOf(match['decided-by'])} · ${when(match['decided-at'])}`),
  );

/** How one account stands, and what this reader can do about it. @param {Visit} visit */
export async function showAccount(visit) {
  const {
    main,
    params: [id = ''],
    signal,
  } = visit;
  const { account } = await call('GET', `/staff/v1/accounts/${id}/standing`, { signal });
  paint(main, account, signal);
}

/** @param {HTMLElement} main @param {AccountStanding} account @param {AbortSignal} signal */
function paint(main, account, signal) {
  const { id, alias, status, pending, freezes, history, 'address-matches': matches = [] } = account;
  const matchCount = account['address-match-count'] ?? 0;
  /** @param {string} path @param {string} done @param {object} [body] */
  const send = async (path, done, body) => {
    const { account: now } = await call('POST', `/staff/v1/accounts/${id}/${path}`, {
      ...(body ? { body } : {}),
      signal,
    });
    paint(main, now, signal);
    tell(done);
  };
  const at = async (/** @type {() => Promise<void>} */ run) => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      tell(error.message);
    }
  };
  const own = pending?.['requested-by'].id === me()['staff-id'];
  const button = (/** @type {string} */ label, /** @type {string} */ tone, /** @type {() => void} */ run) =>
    el('button', { type: 'button', class: `button ${tone}`, onclick: run }, label);
  const actions = !isReviewer()
    ? []
    : pending === null
      ? [
          status === 'active' &&
            button(
              'Freeze…',
              'danger',
              () =>
                void askDialog('freeze', FREEZE_REASONS, (body) =>
                  send('freeze', 'Asked. Another member of staff confirms it.', body),
                ),
            ),
          status === 'frozen' &&
            button(
              'Release…',
              'primary',
              () =>
                void askDialog('release', RELEASE_REASONS, (body) =>
                  send('release', 'Asked. Another member of staff confirms it.', body),
                ),
            ),
        ]
      : [
          isApprover() &&
            !own &&
            button(
              pending.step === 'freeze' ? 'Confirm the freeze' : 'Confirm the release',
              pending.step === 'freeze' ? 'danger' : 'primary',
              () =>
                void at(() =>
                  send(
                    `${pending.step}/confirm`,
                    pending.step === 'freeze' ? 'The account is frozen.' : 'The account is released.',
                  ),
                ),
            ),
          (own || isApprover()) &&
            button(
              own ? 'Withdraw' : 'Refuse',
              '',
              () => void at(() => send('freeze-request/close', own ? 'Withdrawn.' : 'Refused.')),
            ),
        ];
  fill(
    main,
    el(
      'div',
      { class: 'page-head' },
      el('a', { class: 'button small quiet', href: '/console/accounts' }, '‹ Accounts'),
      el('h1', { tabindex: '-1' }, 'Account ', el('span', { class: 'mono' }, shortId(id))),
    ),
    el(
      'div',
      { class: 'facts' },
      statusChip(account),
      matchCount > 0 && chip(matchCount === 1 ? '1 sanctioned address' : `${matchCount} sanctioned addresses`, 'bad'),
      el('span', null, alias),
      el('span', { class: 'mono muted' }, id),
    ),
    pending &&
      note(
        'warn',
        [
          el('strong', null, `${plain(pending.step)} waits for a second member of staff. `),
          `${reasonOf(pending.reason)}, asked by ${nameOf(pending['requested-by'])}, ${when(pending['requested-at'])}.`,
        ],
        pending.evidence && ['Evidence: ', el('q', null, pending.evidence)],
        own && 'Another member has to confirm it; you cannot.',
      ),
    el(
      'section',
      { class: 'decide', 'aria-label': 'Decide' },
      el(
        'div',
        { class: 'decide-row' },
        actions.some(Boolean)
          ? actions
          : el(
              'span',
              { class: 'muted' },
              isReviewer() ? 'Nothing for you to do here.' : 'Your role reads this and changes nothing.',
            ),
      ),
    ),
    card(
      'Why it is frozen',
      {},
      freezes.length === 0
        ? el('p', { class: 'muted' }, 'It is not frozen.')
        : el(
            'ul',
            { class: 'notes' },
            freezes.map((one) =>
              el(
                'li',
                null,
                el('p', null, el('strong', null, reasonOf(one.reason)), one.evidence && el('q', null, one.evidence)),
                el(
                  'p',
                  { class: 'muted small' },
                  `${one['requested-by'] === null ? 'By the system' : `Asked by ${nameOf(one['requested-by'])}, confirmed by ${nameOf(one['confirmed-by'])}`} · ${when(one['frozen-at'])}`,
                ),
              ),
            ),
          ),
    ),
    matchCount > 0 &&
      card(
        'Sanctioned addresses',
        {},
        matchCount > matches.length && el('p', { class: 'muted' }, `The newest ${matches.length} of ${matchCount}.`),
        el('ul', { class: 'notes' }, matches.map(matchLine)),
      ),
    card(
      'History',
      {},
      history.length === 0
        ? el('p', { class: 'muted' }, 'Nothing yet.')
        : el(
            'ol',
            { class: 'history' },
            [...history]
              .reverse()
              .map(({ type, reason, staff, at: time }) =>
                el(
                  'li',
                  null,
                  el('time', { datetime: time }, when(time)),
                  el('span', null, `${STANDING_ENTRIES[type] ?? plain(type)}${reason ? `: ${reasonOf(reason)}` : ''}`),
                  el('span', { class: 'muted' }, staff.length === 0 ? 'the system' : staff.map(nameOf).join(', ')),
                ),
              ),
          ),
    ),
  );
}

/**
 * @param {'freeze' | 'release'} step @param {Record<string, string>} reasons @param {(body: object) => Promise<void>}
 *   send
 */
function askDialog(step, reasons, send) {
  const field = freshId('evidence');
  const freezes = step === 'freeze';
  return formDialog(
    {
      title: freezes ? 'Freeze' : 'Release',
      lead: freezes
        ? 'Nothing happens until another member of staff has confirmed it. A frozen account can only be read.'
        : 'The account stays frozen until another member of staff has confirmed it.',
      fields: [
        choices('Reason', 'reason', Object.entries(reasons)),
        el(
          'div',
          { class: 'field' },
          el('label', { for: field }, 'Evidence'),
          el('textarea', {
            id: field,
            name: 'evidence',
            rows: 3,
            maxlength: EVIDENCE_MOST,
            'aria-describedby': `${field}-hint`,
          }),
          el(
            'span',
            { class: 'hint', id: `${field}-hint` },
            'Such as a ticket or a court order. Kept with the holder, and erased with them.',
          ),
        ),
      ],
      button: freezes ? 'Ask for the freeze' : 'Ask for the release',
      danger: freezes,
      body: (data) => {
        const evidence = String(data.get('evidence') ?? '').trim();
        if (!data.get('reason')) return 'Choose a reason.';
        return evidence === '' ? 'Say what it rests on.' : { reason: data.get('reason'), evidence };
      },
    },
    send,
  );
}
