import { CreateWallet } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { saltOf } from '../wallet/wallet.decider';
import { OpenedNftTransfers, OpenNftTransferHandler } from './open-nft-transfer.command';

const OUTSIDE = `0x${'cd'.repeat(20)}`;
const service = CertificatesForEachTest.of();

/** A certificate whose transfer waits for a review, and the id of the transfer. */
async function reserved() {
  const { movements } = service;
  const certificate = await movements.minted();
  movements.outcomes.set(OUTSIDE, 'waits');
  const { id } = await movements.transfer(certificate, OUTSIDE);
  await eventually(() => expect(movements.screened).toContain(OUTSIDE));
  return { certificate, id };
}

/** The store refuses what the policy appends, and nothing that a request or a job does. */
const refusePolicy = () =>
  Array.from({ length: 20 }, () =>
    service.store.faults.next({
      kind: 'refuse',
      match: (__, events) =>
        events.some(({ type, meta }) => type === 'CertificateTransferReleased' && meta.causationId !== undefined),
    }),
  );

describe('The certificate of an NFT transfer that fails', () => {
  it.each([
    ['the account was frozen', 'clear', 'account-not-active'],
    ['staff have refused the target', 'refused', 'compliance'],
  ] as const)('is active again when %s, although the store refused its release once', async (_, outcome, code) => {
    const { movements } = service;
    const { certificate, id } = await reserved();
    const { struck } = service.store.faults.next({
      kind: 'refuse',
      match: (__, events) => events.some(({ type }) => type === 'CertificateTransferReleased'),
    });
    if (outcome === 'clear') movements.statuses.set(OWNER, 'frozen');
    await movements.review({ kind: 'nft-transfer', id }, outcome);
    await struck;
    expect(await movements.ended(id)).toMatchObject({ state: 'failed', failure: { code } });
    await movements.standing(certificate.id, 'active');
  });

  it('can be transferred again while its release fails', async () => {
    const { movements } = service;
    const { certificate, id } = await reserved();
    const struck = refusePolicy();
    await movements.review({ kind: 'nft-transfer', id }, 'refused');
    await struck[0]?.struck;
    expect(await movements.standing(certificate.id, 'transferring')).toMatchObject({ id: certificate.id });
    movements.outcomes.delete(id);
    movements.outcomes.delete(OUTSIDE);
    const again = await movements.transfer(certificate, OUTSIDE);
    expect(await movements.ended(again.id)).toMatchObject({ state: 'completed' });
  });

  it('is active again after the next start, although its release still fails', async () => {
    const { certificate, id } = await reserved();
    const open = await reserved();
    const struck = refusePolicy();
    await service.movements.review({ kind: 'nft-transfer', id }, 'refused');
    await struck[0]?.struck;
    await service.movements.standing(certificate.id, 'transferring');
    await service.restart((services) => {
      services.outcomes.set(OUTSIDE, 'waits');
      refusePolicy();
    });
    await service.movements.standing(certificate.id, 'active');
    const [released] = service.movements.ofType('CertificateTransferReleased');
    expect(released?.meta).toMatchObject({ actor: 'release-reserved-certificates' });
    await service.movements.standing(open.certificate.id, 'transferring');
  });
});

/** Requests a transfer whose process crashes after the reservation of the certificate. Its event is lost. */
async function crashedRequest(key = 'crashed') {
  const { movements } = service;
  const certificate = await movements.minted();
  jest.spyOn(movements.part(OpenedNftTransfers), 'create').mockRejectedValueOnce(new Error('the process crashed'));
  const lost = jest.spyOn(movements.part(OpenNftTransferHandler), 'execute').mockResolvedValueOnce(undefined);
  await expect(movements.transfer(certificate, OUTSIDE, { key })).rejects.toThrow();
  await eventually(() => expect(lost).toHaveBeenCalled());
  expect(movements.ofType('NftTransferCreated')).toEqual([]);
  return certificate;
}

describe('A certificate that a crashed request has reserved', () => {
  it('is transferred after the next start, although the event was lost', async () => {
    await crashedRequest();
    await service.restart();
    await eventually(() => expect(service.movements.ofType('NftTransferCompleted')).toHaveLength(1));
  });

  it('is active again after the next start if a request with the same key has transferred another one', async () => {
    const certificate = await crashedRequest('same');
    const { id } = await service.movements.transfer(await service.movements.minted(), OUTSIDE, { key: 'same' });
    await service.movements.ended(id);
    await service.movements.standing(certificate.id, 'transferring');
    await service.restart();
    await service.movements.standing(certificate.id, 'active');
  });
});

it('an NFT transfer whose receiver is closed before it is sent fails, and its certificate is active again', async () => {
  const { movements } = service;
  const certificate = await movements.minted();
  const walletId = uuid();
  const target = service.chains.open.chains.of('eth-base').evm.walletAddress(saltOf(walletId));
  movements.outcomes.set(target, 'waits');
  const { id } = await movements.transfer(certificate, target);
  await eventually(() => expect(movements.screened).toContain(target));
  const wallet = {
    accountId: OTHER,
    walletId,
    name: 'New',
    chain: 'eth-base',
    metadata: {},
    uiEnabled: false,
  } as const;
  await movements.bus.request(CreateWallet, wallet, movements.context());
  movements.statuses.set(OTHER, 'closed');
  await movements.review({ kind: 'nft-transfer', id }, 'clear');
  expect(await movements.ended(id)).toMatchObject({ state: 'failed', failure: { code: 'invalid-address' } });
  await movements.standing(certificate.id, 'active');
});
