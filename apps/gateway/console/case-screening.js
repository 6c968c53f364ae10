import { wholeName } from './case-person.js';
import { card, chip, el } from './dom.js';
import { BIRTH_VERDICTS, readMatch } from './screening-match.js';
import { dateOnly, when } from './time.js';
import { LISTS, plain } from './words.js';

/**
 * @typedef {import('./types').Case} Case
 * @typedef {import('./types').Hit} Hit
 * @typedef {import('./types').Person} Person
 */

/** Who was found on which list, of the last round. @param {Case} opened */
export function screeningCard({ screening, holder, representative }) {
  if (screening.length === 0) return card('Screening', { aside: chip('Not yet', 'warn') }, el('p', { class: 'muted' }, 'No list has been asked yet.'));
  const round = Math.max(...screening.map((one) => one.round));
  const last = screening.filter((one) => one.round === round);
  const count = last.reduce((sum, { hits }) => sum + hits.length, 0);
  const times = last.map((one) => one['recorded-at']).sort();
  const aside = count === 0 ? chip('No hits', 'good') : chip(count === 1 ? '1 hit' : `${count} hits`, 'bad');
  return card('Screening', { class: 'screening', aside },
    last.flatMap(({ person, hits }) => hits.map((hit) => hitOf(hit, person === 'holder' ? holder : (representative ?? holder), person))),
    el('p', { class: 'muted small' }, `Round ${round}, ${when(times.at(-1) ?? '')}. ${last.length === 1 ? 'The holder was' : 'Holder and representative were'} compared with sanctions and PEP lists.`));
}

/** The person on the left, the entry of the list on the right. @param {Hit} hit @param {Person} person @param {string} who */
function hitOf({ list, 'entry-id': entry, score, match: text }, person, who) {
  const match = readMatch(text);
  const verdict = match && (BIRTH_VERDICTS[match.birthVerdict] ?? { label: plain(match.birthVerdict), tone: '' });
  const birth = person['date-of-birth'];
  return el('article', { class: 'hit', 'aria-label': `${LISTS[list] ?? plain(list)}, entry ${entry}` },
    el('header', null, el('strong', null, LISTS[list] ?? plain(list)), el('span', { class: 'mono' }, entry), chip(`Score ${score} of 100`, score >= 95 ? 'bad' : 'warn')),
    match && verdict
      ? el('table', null,
        el('thead', null, el('tr', null, el('td'), el('th', { scope: 'col' }, plain(who)), el('th', { scope: 'col' }, 'Entry of the list'), el('td'))),
        el('tbody', null,
          el('tr', null, el('th', { scope: 'row' }, 'Name'), el('td', null, match.asked || wholeName(person)), el('td', null, match.listed, match.kind !== 'name' && el('span', { class: 'muted' }, ` (${match.kind})`)), el('td', null, chip(match.likeness))),
          el('tr', null, el('th', { scope: 'row' }, 'Born'), el('td', null, birth ? dateOnly(birth) : '–'), el('td', null, match.births ? dateOnly(match.births) : 'not listed'), el('td', null, chip(verdict.label, verdict.tone))),
          el('tr', null, el('th', { scope: 'row' }, 'Country'), el('td', null, person.identifier.country), el('td', null, match.nationality || 'not listed'), el('td')),
          match.words.length > 0 && el('tr', null, el('th', { scope: 'row' }, 'Words'), el('td', { colspan: 3, class: 'words' }, match.words.map(({ asked, listed, likeness }) => el('span', null, `${asked} ~ ${listed} `, el('span', { class: 'muted' }, likeness)))))))
      : el('p', null, text));
}
