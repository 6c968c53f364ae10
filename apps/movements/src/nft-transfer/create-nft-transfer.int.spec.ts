import type { Refusal } from '@ponte/kernel';
import { OWNER } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';

const OUTSIDE = `0x${'cd'.repeat(20)}` as const;
const service = CertificatesForEachTest.of();

const violationsOf = (request: Promise<unknown>): Promise<readonly string[]> =>
  request.then(
    () => [],
    (error: Refusal) => error.violations.map(({ path, code }) => `${path} ${code}`),
  );

describe('a refused NFT transfer', () => {
  it('is refused with the violations of every check at once', async () => {
    const { movements } = service;
    const [one, two] = [await movements.minted(), await movements.minted()];
    await movements.ended((await movements.transfer(one, OUTSIDE, { externalId: 'gift' })).id);
    movements.statuses.set(OWNER, 'frozen');
    expect(await violationsOf(movements.transfer(one, two.walletAddress, { externalId: 'gift' }))).toEqual([
      'target-address same-source-and-target',
      ' account-not-active',
      'reward-certificate-id certificate-not-owned',
      'external-id external-id-already-used',
    ]);
    expect(await violationsOf(movements.transfer(two, '0x34', { sourceAddress: '0x12', externalId: 'gift' }))).toEqual([
      'source-address invalid-address',
      'target-address invalid-address',
      ' account-not-active',
      'external-id external-id-already-used',
    ]);
  });

  it('needs no answer of the chain, which an accepted one does', async () => {
    const { movements, chains } = service;
    const certificate = await movements.minted();
    chains.base.setReachable(false);
    expect(await violationsOf(movements.transfer(certificate, '0x34'))).toEqual(['target-address invalid-address']);
    await expect(movements.transfer(certificate, OUTSIDE)).rejects.toMatchObject({ code: 'chain-unavailable' });
    chains.base.setReachable(true);
    expect(await violationsOf(movements.transfer(certificate, OUTSIDE))).toEqual([]);
  });
});

it('an NFT transfer is returned under its idempotency key although its account was frozen since', async () => {
  const { movements } = service;
  const certificate = await movements.minted();
  const first = await movements.transfer(certificate, OUTSIDE, { key: 'k' });
  movements.statuses.set(OWNER, 'frozen');
  expect(await movements.transfer(certificate, OUTSIDE, { key: 'k' })).toEqual(first);
});
