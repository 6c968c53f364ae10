import { Unavailable } from '@ponte/kernel';
import { reported, troubleOf } from '../failures';

const failure = (code: string): Error => Object.assign(new Error('no space'), { code });

describe('an error of PostgreSQL whose disk is full', () => {
  it.each(['53100', '58030'])('%s is a refusal without effect, and a retry may succeed', (code) => {
    expect(troubleOf(failure(code))).toBe('busy');
  });

  it('XX000 may have taken effect, because a pooler reports a broken connection to the server with it', () => {
    expect(troubleOf(failure('XX000'))).toBe('lost');
  });

  it.each(['53100', '58030', 'XX000'])('%s is reported as unavailable', (code) => {
    expect(reported(failure(code))).toBeInstanceOf(Unavailable);
  });

  it('differs from damaged data, which no retry repairs', () => {
    expect(troubleOf(failure('XX001'))).toBe('refused');
  });
});
