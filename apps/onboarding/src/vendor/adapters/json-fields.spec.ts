import { fieldAt } from './json-fields';

describe('A path into JSON', () => {
  it("follows only an object's own fields", () => {
    const document = { a: [{ b: 1 }], c: null };
    expect(fieldAt(document, 'a.0.b')).toBe(1);
    expect(fieldAt(document, '')).toBe(document);
    for (const path of ['a.1.b', 'constructor.name', '__proto__.x', 'c.d', 'a.0.b.c'])
      expect(fieldAt(document, path)).toBeUndefined();
  });
});
