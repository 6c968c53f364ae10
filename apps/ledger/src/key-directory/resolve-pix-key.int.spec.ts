import { LEDGER_TRANSIT_SUBJECT, ResolvePixKey } from '@ponte/contracts';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest();

/** Resolves a key as the gateway does: sealed under the key's own subject, in a dry run under the transit subject. */
async function resolve(pixKey: string, subject: string) {
  const key = await ledger.engines.personalData.seal(subject, pixKey);
  const seal = jest.spyOn(ledger.engines.personalData, 'seal');
  const found = await ledger.ask(ResolvePixKey, { accountId: ACCOUNT, key });
  return { found, subjects: new Set(seal.mock.calls.map(([of]) => of)) };
}

describe('The owner of a Pix key', () => {
  it('is sealed under a subject of the person, for an order', async () => {
    const { found, subjects } = await resolve(HOLDER_CPF, 'pix-key');
    expect(found).toMatchObject({ ownedByHolder: true });
    expect(subjects.size).toBe(1);
    expect(subjects).not.toContain(LEDGER_TRANSIT_SUBJECT);
  });

  it('is sealed only under the transit subject in a dry run, so that no encryption key is created', async () => {
    const { found, subjects } = await resolve(HOLDER_CPF, LEDGER_TRANSIT_SUBJECT);
    expect(found).toMatchObject({
      ownedByHolder: true,
      target: { pixKey: expect.stringContaining(`sealed:v1:${LEDGER_TRANSIT_SUBJECT}:`) as string },
    });
    expect(subjects).toEqual(new Set([LEDGER_TRANSIT_SUBJECT]));
  });

  it('does not leave the ledger if it is not the holder', async () => {
    const { found, subjects } = await resolve(STRANGER_CPF, 'pix-key');
    expect(found).toEqual({ ownedByHolder: false });
    expect(subjects.size).toBe(0);
  });
});
