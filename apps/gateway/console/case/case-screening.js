import { wholeName } from './case-person.js';
import { card, chip, el } from '../shell/dom.js';
import { BIRTH_VERDICTS, readMatch } from './screening-match.js';
import { dateOnly, when } from '../shell/time.js';
import { LISTS, plain, shortId, VERDICT_REASONS, VERDICTS } from '../shell/words.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').Hit} Hit
 * @typedef {import('../types').Person} Person
 */

/**
 * Every list entry that any round found, once and in its latest version: each needs a verdict.
 * @param {Pick<Case, 'screening'>} opened @returns {{ person: 'holder' | 'representative', hit: Hit }[]}
 */
export function hitsOf({ screening }) {
  const all = screening.flatMap(({ person, hits }) => hits.map((hit) => ({ person, hit })));
  return all.filter(
    ({ person, hit }, at) =>
      all.findLastIndex(
        (one) => one.person === person && one.hit.list === hit.list && one.hit['entry-id'] === hit['entry-id'],
      ) === at,
  );
}

/**
 * Shows the hits on each list and the verdicts of staff.
 * @param {Case} opened @param {(person: 'holder' | 'representative', hit: Hit) => void} [judge] absent when no verdict
 *   can be given
 */
export function screeningCard({ screening, holder, representative }, judge) {
  if (screening.length === 0)
    return card(
      'Screening',
      { aside: chip('Not yet', 'warn') },
      el('p', { class: 'muted' }, 'No list has been checked yet.'),
    );
  const round = Math.max(...screening.map((one) => one.round));
  const last = screening.filter((one) => one.round === round);
  const found = hitsOf({ screening });
  const count = found.length;
  const open = found.filter(({ hit }) => hit.verdict === null).length;
  const times = last.map((one) => one['recorded-at']).sort();
  const aside =
    count === 0
      ? chip('No hits', 'good')
      : [
          chip(count === 1 ? '1 hit' : `${count} hits`, 'bad'),
          ' ',
          open > 0 ? chip(`${open} without a verdict`, 'warn') : chip('All judged', 'good'),
        ];
  return card(
    'Screening',
    { class: 'screening', aside },
    found.map(({ person, hit }) =>
      hitOf(
        hit,
        person === 'holder' ? holder : (representative ?? holder),
        person,
        judge && (() => judge(person, hit)),
      ),
    ),
    el(
      'p',
      { class: 'muted small' },
      `Round ${round}, ${when(times.at(-1) ?? '')}. ` +
        `${last.length === 1 ? 'The holder was' : 'Holder and representative were'} compared with sanctions and ` +
        'PEP lists.',
    ),
  );
}

/**
 * Shows the person on the left and the list entry on the right.
 * @param {Hit} hit @param {Person} person @param {string} who @param {(() => void) | undefined} judge
 */
function hitOf({ list, 'entry-id': entry, score, match: text, verdict: judged }, person, who, judge) {
  const match = readMatch(text);
  const verdict = match && (BIRTH_VERDICTS[match.birthVerdict] ?? { label: plain(match.birthVerdict), tone: '' });
  const birth = person['date-of-birth'];
  return el(
    'article',
    { class: 'hit', 'aria-label': `${LISTS[list] ?? plain(list)}, entry ${entry}` },
    el(
      'header',
      null,
      el('strong', null, LISTS[list] ?? plain(list)),
      el('span', { class: 'mono' }, entry),
      chip(`Score ${score} of 100`, score >= 95 ? 'bad' : 'warn'),
    ),
    match && verdict
      ? el(
          'table',
          null,
          el(
            'thead',
            null,
            el(
              'tr',
              null,
              el('td'),
              el('th', { scope: 'col' }, plain(who)),
              el('th', { scope: 'col' }, 'Entry of the list'),
              el('td'),
            ),
          ),
          el(
            'tbody',
            null,
            el(
              'tr',
              null,
              el('th', { scope: 'row' }, 'Name'),
              el('td', null, match.searched || wholeName(person)),
              el('td', null, match.listed, match.kind !== 'name' && el('span', { class: 'muted' }, ` (${match.kind})`)),
              el('td', null, chip(match.likeness)),
            ),
            el(
              'tr',
              null,
              el('th', { scope: 'row' }, 'Born'),
              el('td', null, birth ? dateOnly(birth) : '–'),
              el('td', null, match.births ? dateOnly(match.births) : 'not listed'),
              el('td', null, chip(verdict.label, verdict.tone)),
            ),
            el(
              'tr',
              null,
              el('th', { scope: 'row' }, 'Country'),
              el('td', null, person.identifier.country),
              el('td', null, match.nationality || 'not listed'),
              el('td'),
            ),
            match.words.length > 0 &&
              el(
                'tr',
                null,
                el('th', { scope: 'row' }, 'Words'),
                el(
                  'td',
                  { colspan: 3, class: 'words' },
                  match.words.map(({ searched, listed, likeness }) =>
                    el('span', null, `${searched} ~ ${listed} `, el('span', { class: 'muted' }, likeness)),
                  ),
                ),
              ),
          ),
        )
      : el('p', null, text),
    el(
      'footer',
      { class: 'verdict' },
      judged
        ? el(
            'p',
            null,
            chip(VERDICTS[judged.verdict]?.label ?? plain(judged.verdict), VERDICTS[judged.verdict]?.tone ?? ''),
            ` ${VERDICT_REASONS[judged.reason] ?? plain(judged.reason)}`,
            el('span', { class: 'muted' }, `, by ${judged.staff.name ?? shortId(judged.staff.id)}, ${when(judged.at)}`),
            judged.note && el('q', null, judged.note),
          )
        : el('p', { class: 'muted' }, 'No verdict yet. Every hit needs one before the case can be approved.'),
      judge &&
        judged?.verdict !== 'true-match' &&
        el(
          'button',
          { type: 'button', class: 'button small', onclick: judge },
          judged ? 'Change the verdict' : 'Give a verdict',
        ),
    ),
  );
}
