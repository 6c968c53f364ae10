import 'reflect-metadata';
import type { FieldType } from './field-types';
import { Required } from './fields';
import { looseName, personName } from './name-field-types';
import { violationsOf } from './violations';

function faults(kind: FieldType, name: string): readonly string[] {
  class One {}
  Required(kind, 'one')(One.prototype, 'one');
  return violationsOf(One, { one: name }, 'refuse').map(({ message }) => message);
}

/** The pattern of the documents, as a client would use it. */
const isDocumented = ({ schema }: FieldType, name: string): boolean =>
  new RegExp(schema['pattern'] as string).test(name);

describe('The name of a person', () => {
  const kinds = [personName(40), looseName(40)];

  it.each([
    ["João D'Ávila-Souza"],
    ['Joa\u0303o'],
    ['J. R. R. Tolkien'],
    ['李'],
    ['مهری\u200cپور'],
    ['ක්\u200dරිෂ්ණ'],
    ['Владимир'],
  ])('may be "%s"', (name) => {
    for (const kind of kinds) {
      expect(faults(kind, name)).toEqual([]);
      expect(isDocumented(kind, name)).toBe(true);
    }
  });

  it.each(
    [
      0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200e, 0x202e, 0x2060, 0x2064, 0x2800, 0x3164,
      0xfe0f, 0xfeff, 0xffa0, 0x0a, 0x85,
    ].map((code) => [code.toString(16), String.fromCodePoint(code)]),
  )('does not contain U+%s', (_, character) => {
    for (const kind of kinds) {
      expect(faults(kind, `Kha${character}lid`)).toEqual([expect.stringContaining('invisible characters')]);
      expect(isDocumented(kind, `Kha${character}lid`)).toBe(false);
    }
  });

  it('does not contain invisible characters outside the basic plane', () => {
    for (const character of ['\u{e0001}', '\u{e0100}', '\u{1d173}', '\ud800'])
      expect(faults(personName(40), `Kha${character}lid`)).toHaveLength(1);
  });

  it('contains a joiner only between two visible characters', () => {
    for (const name of ['\u200dKhalid', 'Khalid\u200c', 'Kha\u200c\u200clid', 'Khalid\u200d\u3164Husayn'])
      expect(faults(personName(40), name)).toHaveLength(1);
  });

  it.each([['.'], ['--'], ['42'], [' '], ['\u00a0']])('needs a letter, unlike "%s"', (name) => {
    expect(faults(personName(40), name)).toEqual(['must contain at least one letter']);
  });

  it('of an exposed person may be blank, so that the rules report it as missing', () => {
    for (const name of ['', ' ']) expect(faults(looseName(40), name)).toEqual([]);
    expect(faults(looseName(40), '-')).toEqual(['must contain at least one letter']);
    expect(faults(looseName(40), '\u200b')).not.toEqual([]);
  });

  it.each([['\u200b'], ['\u3164'], ['\u2800']])('is not only an invisible character', (name) => {
    expect(faults(personName(40), name)).not.toEqual([]);
  });
});
