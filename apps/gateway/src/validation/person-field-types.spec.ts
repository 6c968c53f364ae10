import 'reflect-metadata';
import fc from 'fast-check';
import { FileUploadDto } from '../api/files/file.dto';
import { INFORMATION_EXAMPLE, KYC_EXAMPLE, RELIANCE_EXAMPLE } from '../api/onboarding/onboarding.examples';
import { InformationDto, KycRequestDto, RelianceRequestDto } from '../api/onboarding/request.dto';
import { compileValidator } from './shape-check';
import { violationsOf } from './violations';
import { base64 } from './file-field-types';
import { birthDate, email, figure, lines, words } from './person-field-types';
import { fileIds } from './list-field-types';
import type { FieldType } from './field-types';
import { Required } from './fields';

function accepts(kind: FieldType, value: unknown): boolean {
  class One {}
  Required(kind, 'one')(One.prototype, 'one');
  return violationsOf(One, { one: value }, 'refuse').length === 0;
}

describe('field types for personal data', () => {
  it.each<[string, FieldType, unknown[], unknown[]]>([
    [
      'words',
      words(5),
      ['José', ' a ', '李'],
      ['', ' ', '\u00a0', 'a\n', 'a\u0000', 'a\u0085', '\ud800', '123456', 5, null],
    ],
    ['lines', lines(9), ['a\nb\tc\r\n'], ['\n', 'a\u0000', 'a\u001b[1m', '']],
    [
      'email',
      email,
      ['a@b.co', 'a.b+c@d-e.f.gh', 'ü@exämple.org'],
      [
        'a',
        'a@b',
        '@b.c',
        'a@.b',
        'a@b.',
        'a@b..c',
        'a b@c.d',
        'a@b@c.d',
        `a@${'b.'.repeat(200)}c`,
        'a\u0001@b.c',
        `${'a'.repeat(65)}@b.c`,
      ],
    ],
    [
      'date',
      birthDate,
      ['2000-02-29', '1900-01-01'],
      [
        '1899-12-31',
        '0190-05-17',
        '0001-01-01',
        '2001-02-29',
        '1900-1-1',
        '1900-01-01T00:00:00Z',
        '31/01/1990',
        '+002000-01-01',
        '',
      ],
    ],
    ['figure', figure(0), [0, 0.1, 1e15, JSON.parse('1e2')], [-1, 1e16, JSON.parse('1e400'), NaN, '1', null]],
    [
      'file ids',
      fileIds(2),
      [['ev_A'], ['ev_A', 'ev_A']],
      [[], ['ev_'], ['ev_a'], 'ev_A', ['ev_A', 'ev_B', 'ev_C'], [null]],
    ],
    [
      'base64',
      base64,
      ['', 'QQ==', 'QUI=', 'QUJD', 'a+/b'],
      ['Q', 'QQ', 'QQ=', '=QQ=', 'Q=Q=', 'QQ==QUJD', 'QU JD', 'QUJ\n', 'a-_b', 'QU*D', '===='],
    ],
  ])('%s', (_, kind, good, bad) => {
    expect(good.filter((value) => !accepts(kind, value))).toEqual([]);
    expect(bad.filter((value) => accepts(kind, value))).toEqual([]);
  });

  it('check megabytes in linear time and without exhausting the stack', () => {
    for (const value of ['A'.repeat(14e6), `${'A'.repeat(14e6 - 1)}*`])
      expect(accepts(base64, value)).toBe(!value.endsWith('*'));
    for (const kind of [email, words(5), lines(5)]) expect(accepts(kind, 'a@'.repeat(7e6))).toBe(false);
  });
});

describe('the compiled validators of onboarding', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      0,
      1.5,
      true,
      '',
      'x',
      'BRA',
      [],
      {},
      [{}],
      ['x'],
      { declared: false, role: 1 },
      { declared: true },
    ),
    fc.jsonValue(),
  );

  /** Puts a random value somewhere into a valid body. */
  const spoilt = (good: object) => {
    const places = placesOf(good);
    return fc.tuple(fc.constantFrom(...places), junk, fc.boolean()).map(([place, value, remove]) => {
      const copy = structuredClone(good) as Record<string, unknown>;
      const target = place
        .slice(0, -1)
        .reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, copy);
      const name = place.at(-1) ?? '';
      if (remove) delete target[name];
      else target[name] = value;
      return copy;
    });
  };
  const placesOf = (value: object, path: string[] = []): string[][] =>
    Object.entries(value).flatMap(([name, item]: [string, unknown]) => [
      [...path, name],
      ...(typeof item === 'object' && item !== null ? placesOf(item, [...path, name]) : []),
    ]);

  it.each<[string, new () => object, object]>([
    [
      'kyc',
      KycRequestDto,
      { ...KYC_EXAMPLE, pep: { declared: true, 'full-name': 'A', role: 'B', relationship: 'self' } },
    ],
    ['reliance', RelianceRequestDto, RELIANCE_EXAMPLE],
    ['information', InformationDto, INFORMATION_EXAMPLE],
    ['upload', FileUploadDto, { 'content-base64': 'QQ==', purpose: 'other' }],
  ])('%s: accept exactly the values without a class-validator violation', (_, shape, good) => {
    const accept = compileValidator(shape, 'refuse');
    expect(accept(good)).toBe(true);
    fc.assert(
      fc.property(spoilt(good), (value) => {
        expect(accept(value)).toBe(violationsOf(shape, value, 'refuse').length === 0);
      }),
      { numRuns: 400 },
    );
  });
});
