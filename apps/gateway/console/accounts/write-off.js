import { el, freshId } from '../shell/dom.js';

const NAME = 'write-off';

/** The field of a closing for the balances that are left: one per line, as the refusal names them. */
export function writeOffField() {
  const field = freshId(NAME);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: field }, 'Write off (optional)'),
    el('textarea', {
      id: field,
      name: NAME,
      rows: 2,
      placeholder: 'fiat/brl 0.01',
      'aria-describedby': `${field}-hint`,
    }),
    el(
      'span',
      { class: 'hint', id: `${field}-hint` },
      'Enter every remaining balance on its own line: the asset and the whole amount, each below one unit. The ' +
        'holder loses these amounts.',
    ),
  );
}

/**
 * The amounts that were typed, or what is wrong with them.
 * @param {FormData} data @returns {{ asset: string, amount: string }[] | string}
 */
export function writeOffIn(data) {
  const lines = String(data.get(NAME) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const pairs = lines.map((line) => line.split(/\s+/));
  const wrong = pairs.findIndex((parts) => parts.length !== 2);
  if (wrong >= 0) return `Enter the asset and the amount, for example fiat/brl 0.01: ${lines[wrong]}`;
  return pairs.map(([asset = '', amount = '']) => ({ asset, amount }));
}

/** What a pending closing writes off. @param {{ asset: string, amount: string }[]} writeOff */
export const writeOffLine = (writeOff) => [
  'Writes off: ',
  el('strong', null, writeOff.map(({ asset, amount }) => `${asset} ${amount}`).join(', ')),
  '. The holder loses it.',
];
