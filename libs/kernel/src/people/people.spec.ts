import * as fc from 'fast-check';
import {
  COUNTRY_CODES,
  FEDERAL_UNITS,
  isAdult,
  isCep,
  isFederalUnit,
  maskCpf,
  maskTaxId,
  parseCnpj,
  parseCountry,
  parseCpf,
  parseNationalId,
  parsePassport,
  parseTaxId,
  pixKeyOf,
} from '../index';

const NOW = Date.parse('2026-07-15T12:00:00.000Z');

describe('tax ids', () => {
  it('domain 3: "Valid 52998224725, 11144477735; invalid 52998224726, 11111111111. Masked input is accepted"', () => {
    expect(['52998224725', '111.444.777-35', '529.982.247-25'].map(parseCpf)).toEqual([
      '52998224725',
      '11144477735',
      '52998224725',
    ]);
    const repeated = [...'0123456789'].map((digit) => digit.repeat(11));
    const refused = [
      '52998224726',
      ...repeated,
      '',
      '5299822472',
      '529982247250',
      '529 982 247 25',
      '５2998224725',
      '52998224725\n',
      '529-982-247.25',
    ];
    expect(refused.map(parseCpf)).toEqual(refused.map(() => undefined));
    expect(parseCpf(52998224725 as never)).toBeUndefined();
  });

  it('gives each nine digits exactly one pair of check digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (n) => {
        const body = String(n).padStart(9, '0');
        const valid = Array.from({ length: 100 }, (_, end) => parseCpf(body + String(end).padStart(2, '0'))).filter(
          Boolean,
        );
        return valid.length === (/^(.)\1*$/.test(body) ? 0 : 1);
      }),
      { numRuns: 1_000 },
    );
  });

  it('domain 2: a CNPJ has "letters since July 2026; mod 11 over ASCII−48"', () => {
    expect(['12ABC34501DE35', '12.abc.345/01de-35', '11222333000181', '11.222.333/0001-81'].map(parseCnpj)).toEqual([
      '12ABC34501DE35',
      '12ABC34501DE35',
      '11222333000181',
      '11222333000181',
    ]);
    const refused = [
      '12ABC34501DE34',
      '12ABC34501DE3A',
      '00000000000000',
      '11222333000182',
      '',
      '1122233300018',
      '12ÁBC34501DE35',
      '12ſBC34501DE35',
    ];
    expect(refused.map(parseCnpj)).toEqual(refused.map(() => undefined));
  });

  it('are distinguished, and shown masked as "***.982.247-**"', () => {
    expect(parseTaxId('529.982.247-25')).toEqual({ kind: 'cpf', value: '52998224725' });
    expect(parseTaxId('12ABC34501DE35')).toEqual({ kind: 'cnpj', value: '12ABC34501DE35' });
    expect(parseTaxId('123')).toBeUndefined();
    expect([maskCpf('52998224725'), maskTaxId('52998224725')]).toEqual(['***.982.247-**', '***.982.247-**']);
    expect(maskTaxId('12ABC34501DE35')).toBe('**.ABC.345/****-**');
    // What is not a tax id may be anything, a passport number for one: nothing of it is shown.
    expect(['', 'AB123456', '529.982.247-25'].map(maskTaxId)).toEqual(['***', '***', '***']);
  });
});

describe('a Pix key', () => {
  it('domain 2: "Kind, in order: EVP, contains @, starts +, 11 digits, 14 characters"', () => {
    const keys: [string, string, string?][] = [
      ['123e4567-e89b-12d3-a456-426655440000', 'evp'],
      ['123E4567-E89B-12D3-A456-426655440000', 'evp', '123e4567-e89b-12d3-a456-426655440000'],
      ['maria.silva+pix@example.com.br', 'email'],
      ['Maria@Example.com', 'email', 'maria@example.com'],
      ['+5511987654321', 'phone'],
      ['+551133334444', 'phone'],
      ['52998224725', 'cpf'],
      ['12ABC34501DE35', 'cnpj'],
      ['11222333000181', 'cnpj'],
    ];
    for (const [text, kind, value = text] of keys) expect(pixKeyOf(text)).toEqual({ kind, value });
  });

  it('is nothing else', () => {
    const refused = [
      '',
      '52998224726',
      '529.982.247-25',
      '5511987654321',
      '+5501987654321',
      '+551198765432',
      '+55119876543210',
      '+14155550100',
      'a@b',
      '@example.com',
      'maria@',
      'maria@@example.com',
      'maria@-example.com',
      'maria@example..com',
      'máría@example.com',
      'a b@example.com',
      `${'a'.repeat(70)}@example.com`,
      '12ABC34501DE36',
      'K@example.com'.replace('K', '\u212a'),
      'maria@example.com\n',
      `${'a-'.repeat(50_000)}@`,
    ];
    expect(refused.map(pixKeyOf)).toEqual(refused.map(() => undefined));
  });
});

describe('people', () => {
  const at = (iso: string) => Date.parse(iso);

  it('domain 5: "Age 18 by calendar date in America/Sao_Paulo; the 18th birthday counts"', () => {
    // Midnight in São Paulo is 03:00 UTC.
    expect(isAdult('2008-07-15', at('2026-07-15T02:59:59.999Z'))).toBe(false);
    expect(isAdult('2008-07-15', at('2026-07-15T03:00:00.000Z'))).toBe(true);
    expect(isAdult('2008-07-16', NOW)).toBe(false);
    expect(isAdult('1950-01-01', NOW)).toBe(true);
    expect(isAdult('2005-07-15', NOW, 21)).toBe(true);
  });

  it('domain 5: "born on 29 February: adult on 1 March"', () => {
    expect(isAdult('2008-02-29', at('2026-03-01T02:59:59.999Z'))).toBe(false);
    expect(isAdult('2008-02-29', at('2026-03-01T03:00:00.000Z'))).toBe(true);
  });

  it('knows no age for a date that does not exist or has not come', () => {
    expect(
      ['2007-02-29', '2000-13-01', '2000-1-1', '', 'yesterday', '2000-01-01T00:00', '9990-01-01', '2030-01-01'].map(
        (date) => isAdult(date, NOW),
      ),
    ).toEqual(Array(8).fill(false));
  });

  it('agrees with counting years, months and days', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        (birth) => {
          const today = new Date(NOW);
          const years = today.getUTCFullYear() - birth.getUTCFullYear();
          const hadBirthday =
            today.getUTCMonth() > birth.getUTCMonth() ||
            (today.getUTCMonth() === birth.getUTCMonth() && today.getUTCDate() >= birth.getUTCDate());
          return isAdult(birth.toISOString().slice(0, 10), NOW) === (hadBirthday ? years : years - 1) >= 18;
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('domain 5: federal units, CEP and passport', () => {
    expect(FEDERAL_UNITS).toHaveLength(27);
    expect(['SP', 'sp', 'XX', 1].map(isFederalUnit)).toEqual([true, false, false, false]);
    expect(['01310-100', '01310100', '0131-0100', '01310-1000', ''].map(isCep)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(
      [
        'ab 123 456',
        'YB1234567',
        'A1B2',
        'A'.repeat(21),
        'AB-12345',
        'ıB12345',
        'ſB12345',
        '     ',
        ' '.repeat(100),
      ].map(parsePassport),
    ).toEqual(['AB123456', 'YB1234567', ...Array(7).fill(undefined)]);
    expect(
      [
        '123-45-6789',
        '12.345.678-k',
        '1234 / 56',
        'X123',
        'A1B',
        '...',
        '12_34',
        'ı2345',
        'A'.repeat(21),
        '-'.repeat(100),
      ].map(parseNationalId),
    ).toEqual(['123456789', '12345678K', '123456', 'X123', ...Array(6).fill(undefined)]);
  });

  it('"All country codes are read case-insensitively (bra is read as BRA)", safely for a Turkish i', () => {
    expect(new Set(COUNTRY_CODES).size).toBe(249);
    expect([...COUNTRY_CODES].sort()).toEqual([...COUNTRY_CODES]);
    expect(['bra', 'BRA', 'Bra', 'ind', 'usa'].map(parseCountry)).toEqual(['BRA', 'BRA', 'BRA', 'IND', 'USA']);
    expect(['', 'BR', 'BRAZ', 'XXX', 'ıND', 'İND', 'BRA ', 'GBſ'].map(parseCountry)).toEqual(Array(8).fill(undefined));
  });
});
