import type { TransferRecord } from '@ponte/contracts';
import { CreateTransfer, GetTransfer } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually, freshId } from '@ponte/testing';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';

const LISTED = `0x${'5a'.repeat(20)}`;

const service = CertificatesForEachTest.of();
let movements: CertificatesUnderTest;
beforeEach(() => {
  movements = service.movements;
  movements.outcomes.set(LISTED, 'waits');
});

async function send(targetAddress: string): Promise<TransferRecord> {
  const request = {
    transferId: derivedId('transfer', freshId()),
    callerAccountId: OWNER,
    accountId: OWNER,
    asset: 'eth-base/brlv' as const,
    amount: '1',
    sourceAddress: await movements.wallet(OWNER),
    targetAddress,
    externalId: null,
    bodyHash: 'body',
  };
  // The list of wallets may lag behind the log.
  return eventually(() => movements.bus.request(CreateTransfer, request, movements.context()));
}
const find = (transferId: string) =>
  movements.bus.request(GetTransfer, { accountId: OWNER, transferId }, movements.context());
const untilScreened = (address: string) =>
  eventually(() => expect(movements.screened.map((one) => one.toLowerCase())).toContain(address.toLowerCase()));

describe('A token transfer to an address that a sanctions list names', () => {
  it('stays in state created with its hold, and nothing is signed', async () => {
    const { id } = await send(LISTED);
    await untilScreened(LISTED);
    const moved = { chain: 'eth-base', asset: 'eth-base/brlv', amount: expect.stringMatching(/^1(\.0+)?$/) };
    expect(movements.screenings[0]).toMatchObject({ subject: { kind: 'transfer', id }, ...moved });
    expect(await find(id)).toMatchObject({ state: 'created', failure: null });
    expect(movements.holds.size).toBe(1);
    expect(movements.ofType('TransferSendingStarted')).toEqual([]);
  });

  it('is sent once staff have decided that the match is a false positive', async () => {
    const { id } = await send(LISTED);
    await untilScreened(LISTED);
    await movements.review({ kind: 'transfer', id }, 'clear');
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(1));
    expect(movements.ofType('TransferSendingStarted')).toHaveLength(1);
  });

  it('fails with compliance after a true match, and its hold is released', async () => {
    const { id } = await send(LISTED);
    await untilScreened(LISTED);
    await movements.review({ kind: 'transfer', id }, 'refused');
    await eventually(async () =>
      expect(await find(id)).toMatchObject({ state: 'failed', txHash: null, failure: { code: 'compliance' } }),
    );
    await eventually(() => expect(movements.holds.size).toBe(0));
    expect(movements.ofType('TransactionIntended')).toEqual([]);
  });

  it('is sent after a restart before the decision of staff', async () => {
    const { id } = await send(LISTED);
    await untilScreened(LISTED);
    await service.restart();
    movements = service.movements;
    movements.outcomes.set(LISTED, 'waits');
    await movements.review({ kind: 'transfer', id }, 'clear');
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(1));
  });
});

describe('A token transfer to another address', () => {
  it('is not screened when the address is one of our wallets', async () => {
    const target = await movements.wallet(OTHER);
    await send(target);
    await eventually(() => expect(movements.ofType('TransferSendingStarted')).toHaveLength(1));
    expect(movements.screened).toEqual([]);
  });

  it('is sent at once when no list names the address, and a later decision has no effect on it', async () => {
    const { id } = await send(`0x${'cd'.repeat(20)}`);
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(1));
    const before = movements.screened.length;
    await movements.review({ kind: 'transfer', id }, 'refused');
    await movements.review({ kind: 'transfer', id: derivedId('test', 'other') }, 'clear').catch(() => undefined);
    // The wallet is empty, so the transaction may have reverted by now. The late decision itself has no effect.
    expect(await find(id)).not.toMatchObject({ failure: { code: 'compliance' } });
    expect(movements.screened).toHaveLength(before);
  });
});

describe('An NFT transfer to an address that a sanctions list names', () => {
  it('waits with its certificate, and is sent once staff have cleared it', async () => {
    const certificate = await movements.minted();
    const { id } = await movements.transfer(certificate, LISTED);
    await untilScreened(LISTED);
    expect(movements.ofType('NftTransferSendingStarted')).toEqual([]);
    await movements.standing(certificate.id, 'transferring');
    await movements.review({ kind: 'nft-transfer', id }, 'clear');
    expect(await movements.ended(id)).toMatchObject({ state: 'completed' });
  });

  it('fails with compliance after a true match, and the certificate is active again', async () => {
    const certificate = await movements.minted();
    const { id } = await movements.transfer(certificate, LISTED);
    await untilScreened(LISTED);
    await movements.review({ kind: 'nft-transfer', id }, 'refused');
    expect(await movements.ended(id)).toMatchObject({ state: 'failed', failure: { code: 'compliance' } });
    await movements.standing(certificate.id, 'active');
  });
});
