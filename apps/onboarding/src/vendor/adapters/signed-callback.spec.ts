import fc from 'fast-check';
import { judgeSignature, signatureOf } from './signed-callback';

const NOW = Date.UTC(2026, 2, 1, 12);

const SECRET = 'whole secret of provider-1';

const OTHER = 'the secret that comes after';

const SIGNATURE = { secrets: [SECRET, OTHER], timestampHeader: 'x-timestamp', signatureHeader: 'x-signature' };

const sign = (body: string, secret = SECRET, seconds = NOW / 1000) => ({
  'x-timestamp': String(seconds),
  'x-signature': signatureOf(secret, String(seconds), Buffer.from(body)).toString('hex'),
});

describe('The signature of a callback, HMAC-SHA256 of timestamp.body,', () => {
  const body = '{"a":1}';
  const check = (headers: Record<string, string | undefined>, of = body) =>
    judgeSignature(SIGNATURE, headers, Buffer.from(of), NOW);
  const good = sign(body);

  it.each([
    ['the secret', good],
    ['the secret that replaces it', sign(body, OTHER)],
    ['one of several signatures', { ...good, 'x-signature': `v1=${'0'.repeat(64)},v1=${good['x-signature']}` }],
    ['upper case and a prefix', { ...good, 'x-signature': `sha256=${good['x-signature'].toUpperCase()}` }],
    ['a time five minutes late', sign(body, SECRET, NOW / 1000 - 300)],
    ['a time five minutes early', sign(body, SECRET, NOW / 1000 + 300)],
  ])('is genuine with %s', (_, headers) => {
    expect(check(headers)).toBe('genuine');
  });

  it.each<[string, string, Record<string, string | undefined>]>([
    ['unsigned', 'nothing', {}],
    ['unsigned', 'no timestamp', { 'x-signature': good['x-signature'] }],
    ['unsigned', 'no signature', { 'x-timestamp': good['x-timestamp'] }],
    ['unsigned', 'a malformed signature', { ...good, 'x-signature': 'abc' }],
    ['unsigned', 'an invalid time', { ...good, 'x-timestamp': '1e9' }],
    ['forged', 'another secret', sign(body, 'someone else altogether')],
    [
      'forged',
      'a signature of only the body',
      { ...good, 'x-signature': signatureOf(SECRET, '', Buffer.from(body)).toString('hex') },
    ],
    ['forged', 'a changed time', { ...good, 'x-timestamp': String(NOW / 1000 + 1) }],
    ['stale', 'a replay after five minutes', sign(body, SECRET, NOW / 1000 - 301)],
    ['stale', 'a time in the future', sign(body, SECRET, NOW / 1000 + 301)],
  ])('is %s with %s', (verdict, _, headers) => {
    expect(check(headers)).toBe(verdict);
  });

  it('detects any change of the body', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        expect(check(good, other) === 'genuine').toBe(other === body);
      }),
    );
  });
});
