import { fieldAt } from './json-fields';

describe('a path into JSON', () => {
  it("walks an object's own members alone", () => {
    const document = { a: [{ b: 1 }], c: null };
    expect(fieldAt(document, 'a.0.b')).toBe(1);
    expect(fieldAt(document, '')).toBe(document);
    for (const path of ['a.1.b', 'constructor.name', '__proto__.x', 'c.d', 'a.0.b.c'])
      expect(fieldAt(document, path)).toBeUndefined();
  });
});
