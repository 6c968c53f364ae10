import { isOwnList, isPepList } from './own-lists.domain';

describe('The name of a list', () => {
  it.each(['pep', 'pep-brazil', 'PEP', 'Pep-World'])('tells that it has politically exposed people: %s', (name) => {
    expect(isPepList(name)).toBe(true);
  });

  it.each(['un-consolidated', 'peps', 'pepsi', 'WorldCompliance PEP'])('tells that it has sanctions: %s', (name) => {
    expect(isPepList(name)).toBe(false);
  });

  it.each(['liveness', 'more-matches', 'name-letters', 'Liveness'])('is not %s, which has another meaning', (name) => {
    expect(isOwnList(name)).toBe(true);
  });
});
