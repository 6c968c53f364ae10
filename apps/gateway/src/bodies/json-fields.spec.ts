import fc from 'fast-check';
import { shownName } from '../validation/field-name';
import { hasRepeatedField } from './json-body';
import { poisonousFields, repeatedFields } from './json-fields';

const repeats = (json: string) => hasRepeatedField(Buffer.from(json), JSON.parse(json));

describe('a field that is sent twice', () => {
  it.each<[string, string[]]>([
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{ "a" : {"b":1, "b" : 2} , "c" : [0, {"d":1}, {"d":1,"d":2,"d":3}] }', ['a.b', 'c[2].d']],
    ['[{"a":1},[[{"x":1,"x":1}]]]', ['[1][0][0].x']],
    ['{"":1,"":2}', ['?']],
    ['{"a":{"maria@example.com":1,"maria@example.com":2}}', ['a.?']],
    ['{"__proto__":1,"__proto__":2,"1":0,"1":0}', ['__proto__', '?']],
    ['{"a":"x","a":{"b":["}","{\\"a\\":1"]},"b":1}', ['a']],
  ])('is found: %s', (json, paths) => {
    expect(repeats(json)).toBe(true);
    expect(repeatedFields(json)).toEqual(paths);
  });

  it.each([
    '{}',
    '[]',
    '1',
    '"a:b"',
    'null',
    '{"a:":"\\":","b":["a:1","\\\\"],"c":{"a:":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":1}}}',
    '{"é":"ç:","e":"\\u003a"}',
  ])('is not found in %s', (json) => {
    expect(repeats(json)).toBe(false);
    expect(repeatedFields(json)).toEqual([]);
  });

  it.each([250, 255, 256, 257, 300])('is found after a string of %d characters, whatever they are', (length) => {
    for (const end of ['', '"', '\\', '":', '\\\\"', '\\":"']) {
      const long = JSON.stringify(`${'x'.repeat(length)}${end}${'y'.repeat(3)}`);
      expect(repeats(`{"a":${long},"b":1}`)).toBe(false);
      expect(repeats(`{"a":${long},"a":1}`)).toBe(true);
      expect(repeats(`{${long}:${long},"a":${long},"a":1}`)).toBe(true);
    }
  });

  it('is found next to a string of millions of escapes', () => {
    const long = `"${'\\"'.repeat(5_000_000)}"`;
    expect(repeatedFields(`{"a":1,"b":${long},"a":{"c":${long},"c":1}}`)).toEqual(['a', 'a.c']);
  });

  it('is found in a body if and only if there is one', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        fc.integer({ min: 0, max: 2 }),
        (fields, value, spaces) => {
          const json = JSON.stringify({ list: [fields] }, null, spaces);
          expect(repeats(json)).toBe(false);
          expect(repeatedFields(json)).toEqual([]);
          const [name = 'first'] = Object.keys(fields);
          const item = JSON.stringify(value);
          const twice = `{"list":[${JSON.stringify({ [name]: 1 }).slice(0, -1)},${JSON.stringify(name)}:${item}}]}`;
          expect(repeats(twice)).toBe(true);
          expect(repeatedFields(twice)).toEqual([`list[0].${shownName(name)}`]);
        },
      ),
    );
  });
});

describe('a field that would pollute prototypes', () => {
  it.each<[string, string[]]>([
    ['{"__proto__":1}', ['__proto__']],
    ['{"a":[{"__proto__":{}}],"constructor":{"prototype":{}}}', ['a[0].__proto__', 'constructor']],
    ['{"a":{"constructor":{"prototype":1}}}', ['a.constructor']],
    ['{"constructor":1,"prototype":2,"a":{"constructor":{}}}', []],
    ['[1,null,"__proto__"]', []],
  ])('is found: %s', (json, paths) => expect(poisonousFields(JSON.parse(json))).toEqual(paths));
});
