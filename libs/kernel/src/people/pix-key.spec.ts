import { pixKeyOf } from '../index';

describe('a Pix key', () => {
  it('has the first kind that fits: EVP, contains @, starts with +, 11 digits, 14 characters', () => {
    const keys: [string, string, string?][] = [
      ['123e4567-e89b-12d3-a456-426655440000', 'evp'],
      ['123E4567-E89B-12D3-A456-426655440000', 'evp', '123e4567-e89b-12d3-a456-426655440000'],
      ['maria.silva+pix@example.com.br', 'email'],
      ['Maria@Example.com', 'email', 'maria@example.com'],
      [`${'a'.repeat(65)}@example.com`, 'email'],
      ['+5511987654321', 'phone'],
      ['+551133334444', 'phone'],
      ['52998224725', 'cpf'],
      ['12ABC34501DE35', 'cnpj'],
      ['11222333000181', 'cnpj'],
    ];
    for (const [text, kind, value = text] of keys) expect(pixKeyOf(text)).toEqual({ kind, value });
  });

  it('is in no other form', () => {
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
      'x maria@example.com',
      'maria@example.com.br, ana@example.com',
      '+1+5511987654321',
      `${'a'.repeat(66)}@example.com`,
      '12ABC34501DE36',
      '12.ABC.345/01DE-35',
      'K@example.com'.replace('K', '\u212a'),
      'maria@example.com\n',
      `${'a-'.repeat(50_000)}@`,
    ];
    expect(refused.map(pixKeyOf)).toEqual(refused.map(() => undefined));
  });
});
