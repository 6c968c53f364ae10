import { HttpKeyDirectory } from './http.key-directory.adapter';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import { BankUnderTest, reply } from '../testing/bank-under-test';

const bank = new BankUnderTest();

describe('The HTTP adapter of the key directory', () => {
  it('looks keys up', async () => {
    const directory = new HttpKeyDirectory(bank.client);
    expect(await directory.lookUp({ kind: 'email', value: 'ana@x.example' })).toEqual({
      taxId: '52998224725',
      legalName: 'Ana Duarte',
      bankCode: '12345678',
      branchCode: '0001',
      accountNumber: '9-1',
    });
    expect(await directory.lookUp({ kind: 'email', value: 'gone@x.example' })).toBeUndefined();
    bank.answer = (_request, response) => reply(response, 200, { name: 'Ana' });
    await expect(directory.lookUp({ kind: 'email', value: 'ana@x.example' })).rejects.toBeInstanceOf(RailTimedOut);
  });
});
