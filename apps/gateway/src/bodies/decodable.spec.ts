import fc from 'fast-check';
import { decodable } from './decodable';

describe('a path that cannot be decoded', () => {
  it.each([
    ['/a/%ff/b', '/a/%25ff/b'],
    ['/a/%zz%20', '/a/%25zz%2520'],
    ['/a/%', '/a/%25'],
    ['/%c3%a9/%c3', '/%c3%a9/%25c3'],
    ['/a%20b/c', '/a%20b/c'],
    ['/%?b=%#%', '/%25?b=%#%'],
  ])('%s is rewritten to %s', (url, read) => expect(decodable(url)).toBe(read));

  it('can always be decoded after rewriting', () => {
    const piece = fc.constantFrom(
      '%',
      '%f',
      '%ff',
      '%c3',
      '%a9',
      '%2f',
      '%23',
      '/',
      '?',
      '#',
      ';',
      'a',
      '%e0%a4',
      '%ed%a0%80',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const [path = ''] = decodable(pieces.join('')).split(/[?#]/);
        expect(() => decodeURI(path)).not.toThrow();
        expect(() => path.split('/').map(decodeURIComponent)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
