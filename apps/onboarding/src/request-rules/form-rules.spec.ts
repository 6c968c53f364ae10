import type { ClearKycRequest, ClearRelianceRequest } from '@ponte/contracts';
import { relianceViolations } from './request-rules.domain';
import { formViolations, relianceFormViolations } from '@ponte/contracts';
import {
  HOME,
  ABROAD,
  brazilian,
  REQUEST,
  FILES_AND_WALLETS,
  wallet,
  ONE,
  reported,
  withRepresentative,
} from '../testing/kyc-request';

describe('The form rules', () => {
  const twice = [wallet(ONE), wallet(`0x${ONE.slice(2).toUpperCase()}`)];

  it.each<[string, Partial<ClearKycRequest>, string[]]>([
    ['a CEP without its dash', { address: { ...HOME, postalCode: '01310100' } }, []],
    ['an invalid CEP in BRA', { address: { ...HOME, postalCode: '1310-100' } }, ['invalid-format address.postal-code']],
    [
      'a postal code of 17 characters elsewhere',
      { address: { ...ABROAD, postalCode: 'x'.repeat(17) } },
      ['invalid-format address.postal-code'],
    ],
    [
      'an invalid CEP of the representative',
      withRepresentative({ address: { ...HOME, postalCode: 'x' } }),
      ['invalid-format representative.address.postal-code'],
    ],
    ['an external id', { externalId: 'customer-17' }, []],
    ['an external id with a space', { externalId: 'a b' }, ['invalid-format external-id']],
    ['an external id that is the CPF', { externalId: 'cpf:529.982.247-25' }, ['invalid-format external-id']],
    ['an external id that is the name', { externalId: 'JOANA_LIMA' }, ['invalid-format external-id']],
    [
      'a name of one Latin letter that occurs in an external id',
      { firstName: '李', lastName: 'O', externalId: 'customer-1' },
      [],
    ],
    [
      'an external id that is a name of one Latin letter',
      { firstName: '李', lastName: 'O', externalId: 'o' },
      ['invalid-format external-id'],
    ],
    [
      'an external id that contains a name of four letters',
      { firstName: 'Yi', lastName: 'Wu', externalId: 'c-yi-wu-1' },
      ['invalid-format external-id'],
    ],
    [
      'an external id that is the e-mail address',
      { externalId: 'u:Joana@Example.com' },
      ['invalid-format external-id'],
    ],
    ['an external id that is the telephone number', { externalId: '+5511912345678' }, ['invalid-format external-id']],
    ["an external id that is the mother's name", { externalId: 'maria.lima' }, ['invalid-format external-id']],
    [
      "an external id that is the representative's name",
      { ...withRepresentative({}), externalId: 'ann-smith' },
      ['invalid-format external-id'],
    ],
    [
      "an external id that is the representative's number",
      { ...withRepresentative({}), externalId: 'rep-AB123456' },
      ['invalid-format external-id'],
    ],
    ['an external id with a short telephone number by chance', { phone: '12345', externalId: 'customer-123456' }, []],
  ])('check %s in a kyc request', (_clause, change, expected) => {
    expect(reported(formViolations({ ...REQUEST, ...change }))).toEqual(expected);
  });

  it.each<[string, Partial<ClearRelianceRequest>, string[]]>([
    ['a CPF', {}, []],
    [
      'a national id',
      { identifier: { value: 'X12345', country: 'ARG' }, taxResidence: 'ARG', taxDocumentType: 'national-id' },
      [],
    ],
    [
      'a national id with separators',
      { identifier: { value: '123-45-6789', country: 'USA' }, taxResidence: 'USA', taxDocumentType: 'national-id' },
      [],
    ],
    [
      'an invalid national id',
      { identifier: { value: '1_2', country: 'USA' }, taxResidence: 'USA', taxDocumentType: 'national-id' },
      ['invalid-national-id identifier.value'],
    ],
    [
      'a passport number with separators',
      { identifier: { value: '123-45-6789', country: 'USA' }, taxResidence: 'USA', taxDocumentType: 'passport' },
      ['invalid-passport identifier.value'],
    ],
    [
      'an external id that is the national id',
      {
        identifier: { value: '12.345.678-5', country: 'CHL' },
        taxResidence: 'CHL',
        taxDocumentType: 'national-id',
        externalId: 'c-123456785',
      },
      ['invalid-format external-id'],
    ],
    [
      'a passport with the type cpf',
      { identifier: { value: 'X12345', country: 'ARG' }, taxResidence: 'ARG' },
      ['document-type-not-allowed tax-document-type'],
    ],
    ['a CPF with the type passport', { taxDocumentType: 'passport' }, ['document-type-not-allowed tax-document-type']],
    ['an invalid CPF', { identifier: { value: '1', country: 'BRA' } }, ['invalid-cpf identifier.value']],
    ['a repeated wallet', { externalWallets: twice }, ['duplicate-external-wallet external-wallets[1]']],
    ['an external id that is the CPF', { externalId: '52998224725' }, ['invalid-format external-id']],
  ])('check %s in a reliance request', (_clause, change, expected) => {
    const request: ClearRelianceRequest = {
      identifier: brazilian.identifier,
      taxDocumentType: 'cpf',
      taxResidence: 'BRA',
      kycAttestationId: 'att-1',
      rewardTier: 90,
      externalWallets: [],
      externalId: null,
      ...change,
    };
    expect(reported([...relianceFormViolations(request), ...relianceViolations(request, FILES_AND_WALLETS)])).toEqual(
      expected,
    );
  });
});
