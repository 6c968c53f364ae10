import { createHash } from 'node:crypto';
import type { Sealed } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { ClearBankAccount, ClearHolder, ShownTexts } from './sealing';
import { holderIdOf, isSealedFor, sealBankAccount, sealHolder } from './sealing';

describe('sealing', () => {
  const personalData = {
    seal: (subject: string, text: string) =>
      Promise.resolve<Sealed>(`sealed:v1:${subject}:${Buffer.from(text).toString('base64')}`),
    fingerprint: (kind: string, value: string) => createHash('sha256').update(`${kind} ${value}`).digest('hex'),
  };
  const person: ClearHolder = { legalName: ' Joana  da Conceição ', taxId: '529.982.247-25' };
  const nothingShown: ShownTexts = { alias: 'Account 1', externalId: null };
  const faults = (promise: Promise<unknown>) =>
    promise.then(
      () => [],
      (refusal: Refusal) => refusal.violations.map(({ code, path }) => `${code} ${path}`),
    );

  it('uses one subject per person, however the tax id is written', async () => {
    const masked = await sealHolder(personalData, person, nothingShown);
    const bare = await sealHolder(personalData, { ...person, taxId: '52998224725' }, nothingShown);
    expect(masked).toEqual(bare);
    expect(masked.holderId).toBe(holderIdOf(personalData.fingerprint('tax-id', '52998224725')));
    expect([
      isSealedFor(masked.holderId, masked.legalName),
      isSealedFor(masked.holderId, masked.taxId),
      isSealedFor('other', masked.taxId),
      isSealedFor(masked.holderId, 'x'),
    ]).toEqual([true, true, false, false]);
  });

  it('refuses an invalid name and an invalid tax id at once', async () => {
    expect(await faults(sealHolder(personalData, { legalName: '  ', taxId: '52998224726' }, nothingShown))).toEqual([
      'invalid-format legal-name',
      'invalid-tax-id tax-id',
    ]);
    expect(await faults(sealHolder(personalData, { legalName: 'x'.repeat(201), taxId: '' }, nothingShown))).toEqual([
      'invalid-format legal-name',
      'invalid-tax-id tax-id',
    ]);
  });

  it('refuses shown texts with the name or tax id of a person, but allows the name of a company', async () => {
    const shown = (texts: Partial<ShownTexts>, clear = person) =>
      faults(sealHolder(personalData, clear, { ...nothingShown, ...texts }));
    for (const alias of ['Joana da Conceição', 'conta de JOANA DA CONCEICAO', '52998224725', 'CPF 529.982.247-25'])
      expect(await shown({ alias })).toEqual(['invalid-format alias']);
    expect(await shown({ externalId: '52998224725' })).toEqual(['invalid-format external-id']);
    expect(await shown({ alias: 'Joana' })).toEqual([]);
    const company = { legalName: 'Acme', taxId: '11222333000181' };
    expect(await shown({ alias: 'Acme' }, company)).toEqual([]);
    expect(await shown({ alias: 'Acme 11.222.333/0001-81' }, company)).toEqual(['invalid-format alias']);
  });

  it('accepts bank accounts in the Brazilian formats', async () => {
    const bank: ClearBankAccount = { bankCode: '001', branch: '1234', number: '1234567-8' };
    const sealed = await sealBankAccount(personalData, 'h', bank);
    expect([sealed.bankCode, isSealedFor('h', sealed.branch), isSealedFor('h', sealed.number)]).toEqual([
      '001',
      true,
      true,
    ]);
    for (const good of [
      { bankCode: '00000000' },
      { bankCode: '1A2B3C4D' },
      { branch: '1' },
      { number: '12' },
      { number: '1-X' },
      { number: '1234567-P' },
    ])
      expect(await faults(sealBankAccount(personalData, 'h', { ...bank, ...good }))).toEqual([]);
    const upperCase = await sealBankAccount(personalData, 'h', { ...bank, number: '1234567-P' });
    expect(await sealBankAccount(personalData, 'h', { ...bank, number: '1234567-p' })).toEqual(upperCase);
    expect(await faults(sealBankAccount(personalData, 'h', { ...bank, number: '1234567-A' }))).toEqual([
      'invalid-bank-account bank-account.account-number',
    ]);
    expect(await faults(sealBankAccount(personalData, 'h', { bankCode: '01', branch: '12345', number: 'X' }))).toEqual([
      'invalid-bank-account bank-account.bank-code',
      'invalid-bank-account bank-account.branch-number',
      'invalid-bank-account bank-account.account-number',
    ]);
  });
});
