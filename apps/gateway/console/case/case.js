/* global AbortController */
import { call } from '../shell/api.js';
import { askReason } from './case-gate.js';
import { checklistCard, duplicatesCard, fourEyesNote } from './case-checks.js';
import { DecisionBar } from './case-decide.js';
import { DocumentViewer } from './case-documents.js';
import { historyCard, notesCard, viewsCard } from './case-history.js';
import { personCards } from './case-person.js';
import { screeningCard } from './case-screening.js';
import { el, fill, focusHeading, note } from '../shell/dom.js';
import { usePageKeys } from '../shell/keys.js';
import { lastQueue } from '../queue/queue.js';
import { flags, stateChip } from '../queue/queue-chips.js';
import { go } from '../shell/router.js';
import { isReviewer, maySeeCases, maySeePrivacy } from '../session/session.js';
import { span, when } from '../shell/time.js';
import { shortId } from '../shell/words.js';
import { attentions } from './case-attention.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../shell/router.js').Visit} Visit
 */

/** Purposes for which documents are shown at once; for other purposes each document is opened separately. */
const LOOKS_AT_DOCUMENTS = ['review', 'second-approval'];

/** @param {Visit} visit */
export async function showCase(visit) {
  const {
    main,
    params: [id = ''],
    signal,
  } = visit;
  lastQueue.opened = id;
  const { history } = await call('GET', `/staff/v1/account-requests/${id}/history`, { signal });
  usePageKeys(wayKeys(id));
  if (!maySeeCases()) {
    fill(
      main,
      head(id),
      note('', 'Your role may see the history of a request, but no data of the person.'),
      historyCard(history),
    );
    return;
  }
  // Resolves with the case after a reason was given; never resolves when the page is left first.
  const { opened, purpose } = await askReason({
    main,
    id,
    history,
    head: head(id),
    known: lastQueue.items.get(id),
    signal,
  });
  if (!signal.aborted) paint(visit, opened, purpose);
}

/** @param {string} id */
const head = (id) =>
  el(
    'div',
    { class: 'page-head' },
    el('a', { class: 'button small quiet', href: lastQueue.address }, '‹ Queue'),
    el('h1', { tabindex: '-1' }, 'Request ', el('span', { class: 'mono' }, shortId(id))),
  );

/** @param {Visit} visit @param {Case} opened @param {string} purpose */
function paint(visit, opened, purpose) {
  const {
    main,
    params: [id = ''],
  } = visit;
  let { item } = opened;
  // The case can be read again on the same page; this signal ends everything that belongs to the current reading.
  const reading = new AbortController();
  visit.signal.addEventListener('abort', () => reading.abort());
  const { signal } = reading;
  const title = head(id);
  const facts = el('div', { class: 'facts' });
  const attention = el('div', { class: 'attention' });
  const story = el('div');
  const files = new DocumentViewer({
    files: opened.files,
    address: (file) => `/staff/v1/account-requests/${id}/files/${file}?purpose=${purpose}`,
    signal,
    atOnce: LOOKS_AT_DOCUMENTS.includes(purpose),
  });

  const checks = el('div');
  const screened = el('div');
  /** The waiting time, or the time of the decision. @param {import('../types').QueueItem} one */
  const age = (one) =>
    one.status === 'pending' ? `waiting ${span(one['age-seconds'])}` : `since ${when(one['status-updated-at'])}`;
  const repaint = () => {
    fill(
      facts,
      stateChip(item),
      flags(item),
      el('span', null, item.partner.alias),
      el(
        'span',
        { class: 'muted' },
        `${item.mode === 'kyc' ? 'KYC by us' : 'Reliance'} · tier ${item['reward-tier']} % · ${age(item)}`,
      ),
      item['external-id'] &&
        el('span', { class: 'muted' }, 'External id ', el('span', { class: 'mono' }, item['external-id'])),
    );
    fill(attention, attentions(opened, item), fourEyesNote(opened, item));
    fill(story, historyCard(opened.history));
    fill(checks, checklistCard(opened));
    fill(
      screened,
      screeningCard(
        opened,
        isReviewer() && item.status === 'pending' ? (person, hit) => bar.judge(person, hit) : undefined,
      ),
    );
  };
  const bar = new DecisionBar({
    id,
    opened,
    signal,
    next: () => neighbourOf(id, 1),
    changed: ({ 'account-request': next, history, checklist, approvals }) => {
      item = next;
      opened.item = next;
      opened.history = history;
      opened.checklist = checklist;
      opened.approvals = approvals;
      repaint();
    },
    reopen: async () => {
      const { case: fresh } = await call('POST', `/staff/v1/account-requests/${id}/case`, {
        body: { purpose },
        signal,
      });
      reading.abort();
      paint(visit, fresh, purpose);
    },
  });
  repaint();
  // Screening hits come before everything else.
  const hits = opened.screening.some((one) => one.hits.length > 0);
  const [screening, people] = [screened, personCards(opened)];
  if (maySeePrivacy())
    title.append(
      el(
        'a',
        { class: 'button small grow', href: `/console/requests/${id}/privacy` },
        'Privacy report ',
        el('kbd', null, 'p'),
      ),
    );
  fill(
    main,
    title,
    facts,
    bar.element,
    attention,
    el(
      'div',
      { class: 'case' },
      files.element,
      el(
        'div',
        { class: 'case-data' },
        hits ? [screening, ...people] : [people[0], screening, ...people.slice(1)],
        checks,
        duplicatesCard(opened),
        notesCard(opened),
        story,
        viewsCard(opened.views),
      ),
    ),
  );
  focusHeading();
  usePageKeys([...bar.keys(), ...files.keys(), ...wayKeys(id)]);
}

/** The previous or next request on the page of the queue that was shown last. @param {string} id @param {1 | -1} by */
function neighbourOf(id, by) {
  const at = lastQueue.ids.indexOf(id);
  const other = at === -1 ? undefined : lastQueue.ids[at + by];
  return other && `/console/requests/${other}`;
}

/** @param {string} id */
function wayKeys(id) {
  const toNeighbour = (/** @type {1 | -1} */ by) => () => go(neighbourOf(id, by) ?? lastQueue.address);
  return [
    { key: 'n', says: 'Next request of the queue', run: toNeighbour(1) },
    { key: 'b', says: 'Request before', run: toNeighbour(-1) },
    { key: 'q', says: 'Back to the queue', run: () => go(lastQueue.address) },
    { key: 'p', says: 'Privacy report', run: () => go(`/console/requests/${id}/privacy`), when: maySeePrivacy },
  ];
}
