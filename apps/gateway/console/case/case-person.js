import { card, chip, el } from '../shell/dom.js';
import { dateOnly, when, yearsSince } from '../shell/time.js';
import { DOCUMENTS, ERASED, plain, SECTORS, shortId } from '../shell/words.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').Person} Person
 * @typedef {import('../shell/dom.js').Child} Child
 */

/** A list of terms and values. Rows without a value are omitted. @param {[string, Child | Child[]][]} rows */
const facts = (rows) =>
  el(
    'dl',
    { class: 'data' },
    rows.flatMap(([term, value]) =>
      value === null || value === undefined || value === '' || value === false
        ? []
        : [el('dt', null, term), el('dd', null, value)],
    ),
  );

/**
 * Formats a CPF as printed on documents, so that it can be compared digit by digit.
 * @param {{ value: string, country: string }} identifier
 */
const written = ({ value, country }) =>
  country === 'BRA' ? value.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4') : value;

/** @param {Person} person */
export const wholeName = (person) =>
  person.erased ? ERASED : [person['first-name'], person['last-name']].filter(Boolean).join(' ');

/** @param {string | undefined} birth */
const born = (birth) =>
  birth && /^\d{4}-/.test(birth)
    ? [dateOnly(birth), el('span', { class: 'muted' }, ` ${birth} · ${yearsSince(birth)} years`)]
    : birth;

/** @param {Person} person */
function address({ address: one }) {
  if (!one) return null;
  return [
    one.line1,
    one.line2,
    [one['postal-code'], one.city].filter(Boolean).join(' '),
    [one.state, one.country].filter(Boolean).join(', '),
  ]
    .filter(Boolean)
    .flatMap((line) => [line, el('br')]);
}

/** @param {Person} person */
function exposure({ pep }) {
  if (!pep) return null;
  if (!pep.declared) return 'None declared';
  return [
    chip('Declared', 'bad'),
    ' ',
    [pep['full-name'], pep.role, pep.relationship && plain(pep.relationship)].filter(Boolean).join(' · '),
  ];
}

/**
 * The rows of holder and representative alike.
 * @param {Person} person @param {string} [taxDocument] the type of the holder's document in reliance mode
 * @returns {[string, Child | Child[]][]}
 */
const common = (person, taxDocument = 'passport') => [
  ['Name', el('span', { class: 'large' }, wholeName(person))],
  [
    person.identifier.country === 'BRA' ? 'CPF' : (DOCUMENTS[taxDocument] ?? plain(taxDocument)),
    el(
      'span',
      { class: 'large number' },
      written(person.identifier),
      el('span', { class: 'muted' }, ` ${person.identifier.country}`),
    ),
  ],
  ['Born', born(person['date-of-birth'])],
  ['Document', person.document && (DOCUMENTS[person.document.type] ?? plain(person.document.type))],
  ['Tax residence', person['tax-residence']],
  ['Address', address(person)],
  ['Political exposure', exposure(person)],
];

const money = (/** @type {number} */ amount, /** @type {string} */ currency) =>
  el(
    'span',
    { class: 'number' },
    `${currency} ${amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`,
  );

/** @param {Case} opened */
export function personCards({ holder, representative, reliance, liveness, 'external-wallets': wallets }) {
  const profile = holder['financial-profile'];
  return [
    card(
      'Holder',
      { class: 'person', aside: holder.erased ? chip('Erased', 'warn') : null },
      facts([
        ...common(holder, reliance?.['tax-document-type']),
        ["Mother's name", holder['mother-full-name']],
        ['E-mail', holder.email],
        ['Phone', holder.phone],
        ...(reliance
          ? /** @type {[string, Child][]} */ ([
              [
                'Checked by the partner',
                `${DOCUMENTS[reliance['tax-document-type']] ?? plain(reliance['tax-document-type'])}, attestation ` +
                  `${reliance['kyc-attestation-id']}`,
              ],
            ])
          : []),
        [
          'Liveness',
          liveness && [
            chip(
              plain(liveness.outcome),
              liveness.outcome === 'passed' ? 'good' : liveness.outcome === 'failed' ? 'bad' : 'warn',
            ),
            ' ',
            el('span', { class: 'muted' }, `${liveness.provider}, session ${liveness['session-id']}`),
            liveness['decided-at'] && el('span', { class: 'muted' }, `, decided ${when(liveness['decided-at'])}`),
          ],
        ],
        [
          'Session also used by',
          liveness &&
            liveness['shared-with'].length > 0 &&
            liveness['shared-with'].flatMap((id) => [
              el('a', { class: 'mono', href: `/console/requests/${id}` }, shortId(id)),
              ' ',
            ]),
        ],
      ]),
    ),
    profile &&
      card(
        'Money',
        {},
        facts([
          ['Sector', SECTORS[profile.sector] ?? plain(profile.sector)],
          ['Monthly income', money(profile['monthly-income'], profile.currency)],
          ['Net worth', profile['net-worth'] !== null && money(profile['net-worth'], profile.currency)],
          ['Source of funds', profile['source-of-funds']?.map(plain).join(', ')],
        ]),
      ),
    representative && card('Representative', { class: 'person' }, facts(common(representative))),
    wallets.length > 0 &&
      card(
        `External wallets (${wallets.length})`,
        {},
        el(
          'ul',
          { class: 'wallets' },
          wallets.map((wallet) =>
            el(
              'li',
              null,
              el('code', null, wallet.address),
              el(
                'div',
                { class: 'chips' },
                chip(wallet['custody-type'] === 'self' ? 'Own custody' : 'At an exchange'),
                chip(wallet['signed-message'] === null ? 'No signature' : 'Signature valid'),
                [wallet['custodian-name'], wallet['custody-country']].filter(Boolean).length > 0 &&
                  el(
                    'span',
                    { class: 'muted' },
                    [wallet['custodian-name'], wallet['custody-country']].filter(Boolean).join(', '),
                  ),
              ),
              wallet['signed-message'] !== null &&
                el(
                  'p',
                  null,
                  el('span', { class: 'muted' }, 'Its key signed: '),
                  el('q', null, wallet['signed-message']),
                ),
            ),
          ),
        ),
      ),
  ];
}
