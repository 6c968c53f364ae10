import * as fc from 'fast-check';
import { maskCpf, maskTaxId, parseCnpj, parseCpf, parseTaxId } from '../index';

describe('tax ids', () => {
  it('include 52998224725 and 11144477735, also masked, but not 52998224726 or 11111111111', () => {
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
      '-52998224725',
      'CPF 52998224725',
    ];
    expect(refused.map(parseCpf)).toEqual(refused.map(() => undefined));
    expect(parseCpf(52998224725 as never)).toBeUndefined();
  });

  it('have exactly one pair of check digits for each nine digits', () => {
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

  it('may be a CNPJ with letters (since July 2026), checked with mod 11 over ASCII−48', () => {
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
      '.12ABC34501DE35',
      '12ABC34501DE35.',
    ];
    expect(refused.map(parseCnpj)).toEqual(refused.map(() => undefined));
  });

  it('are distinguished by kind, and masked as "***.982.247-**"', () => {
    expect(parseTaxId('529.982.247-25')).toEqual({ kind: 'cpf', value: '52998224725' });
    expect(parseTaxId('12ABC34501DE35')).toEqual({ kind: 'cnpj', value: '12ABC34501DE35' });
    expect(parseTaxId('123')).toBeUndefined();
    expect([maskCpf('52998224725'), maskTaxId('52998224725')]).toEqual(['***.982.247-**', '***.982.247-**']);
    expect(maskTaxId('12ABC34501DE35')).toBe('**.ABC.345/****-**');
    // A text that is not a tax id may be anything, such as a passport number, so nothing of it is shown.
    const others = [
      '',
      'AB123456',
      '529.982.247-25',
      '152998224725',
      '529982247251',
      '112ABC34501DE35',
      '12ABC34501DE351',
    ];
    expect(others.map(maskTaxId)).toEqual(others.map(() => '***'));
  });
});
