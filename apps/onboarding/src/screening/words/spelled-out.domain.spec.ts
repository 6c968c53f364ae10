import { joinedPieces, piecesAsWords } from './spelled-out.domain';

const KNOWN = new Set(['khalid', 'husayn', 'al', 'qarnawi', 'alqarnawi', 'ali', 'hus']);
const divided = (text: string): string => piecesAsWords(text, (word) => KNOWN.has(word));

describe('Separated letters of a name', () => {
  it.each([
    ['k-h-a-l-i-d h.u.s.a.y.n', 'khalid husayn'],
    ['kh_al_id husayn', 'khalid husayn'],
    ['j.r.r. tolkien', 'jrr. tolkien'],
    ['j. r. r. tolkien', 'j. r. r. tolkien'],
    ['anne-marie d. brusk', 'anne-marie d. brusk'],
    ['a-b husayn-al-x', 'a-b husayn-al-x'],
  ])('are joined within a word: "%s" as "%s"', (text, joined) => {
    expect(joinedPieces(text)).toBe(joined);
  });

  it.each([
    ['k h a l i d h u s a y n a l q a r n a w i', 'khalid husayn alqarnawi'],
    ['k-h-a-l i-d-h-u s-a-y-n', 'khalid husayn'],
    ['x y k h a l i d z', 'xy khalid z'],
    ['j. r. r. tolkien', 'jrr. tolkien'],
    ['a b', 'a b'],
    ['', ''],
  ])('are divided into known words: "%s" as "%s"', (text, words) => {
    expect(divided(text)).toBe(words);
  });
});
