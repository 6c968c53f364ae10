import { troubleOf } from '../failures';

describe('an error of PostgreSQL whose disk is full', () => {
  it.each(['53100', '58030', 'XX000'])('%s is a refusal without effect, and a retry may succeed', (code) => {
    expect(troubleOf(Object.assign(new Error('no space'), { code }))).toBe('busy');
  });

  it('differs from damaged data, which no retry repairs', () => {
    expect(troubleOf(Object.assign(new Error('damaged'), { code: 'XX001' }))).toBe('refused');
  });
});
