import type { AddressSubject, NoncesAllocated, TransactionGivenUp } from '@ponte/contracts';
import { CreateTransfer, GetTransfer, RequestSettlement, RequestTokenMovement } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';

const OUTSIDE = `0x${'cd'.repeat(20)}`;
const ASSET = 'eth-base/brlv';
/** Several rounds of the sender. */
const SCREEN_AGAIN_MS = 100;
const MANY_ROUNDS_MS = 500;

const service = CertificatesForEachTest.of({ screenAgainMs: SCREEN_AGAIN_MS });
let movements: CertificatesUnderTest;
let chains: CertificatesForEachTest['chains'];
beforeEach(() => {
  movements = service.movements;
  chains = service.chains;
});

async function transfer(targetAddress: string): Promise<AddressSubject> {
  const id = uuid();
  const sourceAddress = await movements.wallet(OWNER);
  chains.base.fund(ASSET, sourceAddress as `0x${string}`, 10n ** 18n);
  const terms = { transferId: id, callerAccountId: OWNER, accountId: OWNER, asset: ASSET, amount: '1' } as const;
  const request = { ...terms, sourceAddress, targetAddress, externalId: null, bodyHash: 'body' };
  // The list of wallets may lag behind the log.
  await eventually(() => movements.bus.request(CreateTransfer, request, movements.context()));
  return { kind: 'transfer', id };
}
async function withdrawal(destination: string): Promise<AddressSubject> {
  const id = uuid();
  const owner = { kind: 'withdrawal', id } as const;
  const terms = { movementId: id, owner, accountId: OWNER, asset: ASSET, amount: '1', destination } as const;
  await eventually(() =>
    movements.bus.request(RequestTokenMovement, { ...terms, sourceWalletId: null }, movements.context()),
  );
  return { kind: 'withdrawal', id };
}
async function order(to: string): Promise<AddressSubject> {
  const id = uuid();
  const mint = {
    settlementId: uuid(),
    kind: 'mint',
    orderId: id,
    asset: ASSET,
    amount: '1',
    brlAmount: '1.00',
  } as const;
  const payload = { ...mint, accountId: OWNER, wallet: to };
  await movements.bus.request(RequestSettlement, payload, movements.context());
  return { kind: 'order', id };
}
const KINDS = { transfer, withdrawal, order };

const intended = (count = 1) => eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(count));
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const signed = () => movements.ofType('TransactionSigned');
/** Transactions that have a nonce. */
const nonces = () =>
  movements.ofType('NoncesAllocated').flatMap(({ data }) => (data as NoncesAllocated['data']).transactionIds);
const reasons = () =>
  movements.ofType('TransactionGivenUp').map(({ data }) => (data as TransactionGivenUp['data']).reason);

/** Makes a transaction wait by an outage of the node, and then adds its target to a sanctions list. */
async function waitsListed(kind: keyof typeof KINDS): Promise<AddressSubject> {
  await movements.wallet(OWNER);
  chains.base.setReachable(false);
  const subject = await KINDS[kind](OUTSIDE);
  await intended();
  movements.outcomes.set(OUTSIDE, 'waits');
  movements.screened.length = 0;
  await later(SCREEN_AGAIN_MS);
  chains.base.setReachable(true);
  await eventually(() => expect(movements.screened).toContain(OUTSIDE));
  return subject;
}

describe('A sanctions list that names a target while its transaction waits to be signed', () => {
  it.each(['transfer', 'withdrawal', 'order'] as const)('keeps a %s from being signed', async (kind) => {
    await waitsListed(kind);
    await later(MANY_ROUNDS_MS);
    expect([signed(), movements.ofType('NoncesAllocated'), reasons()]).toEqual([[], [], []]);
  });

  it.each(['transfer', 'withdrawal', 'order'] as const)(
    'lets a %s be signed after two false positives',
    async (kind) => {
      const subject = await waitsListed(kind);
      await movements.review(subject, 'clear');
      await eventually(() => expect(signed()).toHaveLength(1));
      expect(reasons()).toEqual([]);
    },
  );

  it.each(['transfer', 'withdrawal', 'order'] as const)(
    'causes a %s to be given up after a true match',
    async (kind) => {
      const subject = await waitsListed(kind);
      await movements.review(subject, 'refused');
      await eventually(() => expect(reasons()).toEqual(['compliance']));
      await later(SCREEN_AGAIN_MS);
      expect([signed(), nonces()]).toEqual([[], []]);
      // The key still sends other transactions.
      movements.outcomes.delete(OUTSIDE);
      await KINDS[kind](`0x${'ef'.repeat(20)}`);
      await eventually(() => expect(signed()).toHaveLength(1));
    },
  );

  it('fails the transfer with compliance and releases its hold', async () => {
    const { id: transferId, kind } = await waitsListed('transfer');
    await movements.review({ id: transferId, kind }, 'refused');
    const find = () => movements.bus.request(GetTransfer, { accountId: OWNER, transferId }, movements.context());
    await eventually(async () =>
      expect(await find()).toMatchObject({ state: 'failed', txHash: null, failure: { code: 'compliance' } }),
    );
    await eventually(() => expect(movements.holds.size).toBe(0));
  });

  it('fails an NFT transfer with compliance and makes its certificate active again', async () => {
    const certificate = await movements.minted();
    // The node answers everything except what a signature needs.
    const fees = jest.spyOn(chains.base, 'feeQuote').mockRejectedValue(new Unavailable('chain-unavailable'));
    const before = movements.ofType('TransactionIntended').length;
    const { id } = await movements.transfer(certificate, OUTSIDE);
    await intended(before + 1);
    movements.outcomes.set(OUTSIDE, 'waits');
    movements.screened.length = 0;
    await eventually(() => expect(movements.screened).toContain(OUTSIDE));
    fees.mockRestore();
    await movements.review({ kind: 'nft-transfer', id }, 'refused');
    expect(await movements.ended(id)).toMatchObject({ state: 'failed', failure: { code: 'compliance' } });
    await movements.standing(certificate.id, 'active');
  });

  it('also causes a transfer to be given up while its account is frozen', async () => {
    const subject = await waitsListed('transfer');
    movements.statuses.set(OWNER, 'frozen');
    await movements.review(subject, 'refused');
    await eventually(() => expect(reasons()).toEqual(['compliance']));
    await eventually(() => expect(movements.holds.size).toBe(0));
  });

  it('causes a funded treasury payment to be given up and frees its funds for the next one', async () => {
    const usdc = 'eth-base/usdc';
    chains.base.fund(usdc, chains.base.walletAddress(saltOf(treasuryWalletId('eth-base'))), 2_000_000n);
    const pay = async (wallet: string) => {
      const settlementId = uuid();
      const order = { settlementId, orderId: uuid(), accountId: OWNER, kind: 'treasury-payment' } as const;
      const terms = { ...order, asset: usdc, amount: '2.000000', wallet, brlAmount: '10.70' } as const;
      await movements.bus.request(RequestSettlement, terms, movements.context());
      return { kind: 'order', id: order.orderId } as const;
    };
    const fees = jest.spyOn(chains.base, 'feeQuote').mockRejectedValue(new Unavailable('chain-unavailable'));
    const subject = await pay(OUTSIDE);
    await eventually(() => expect(movements.ofType('TransactionFunded')).toHaveLength(1));
    movements.outcomes.set(OUTSIDE, 'waits');
    movements.screened.length = 0;
    await eventually(() => expect(movements.screened).toContain(OUTSIDE));
    fees.mockRestore();
    await later(MANY_ROUNDS_MS);
    expect([signed(), nonces(), reasons()]).toEqual([[], [], []]);
    await movements.review(subject, 'refused');
    await eventually(() => expect(reasons()).toEqual(['compliance']));
    await pay(`0x${'ef'.repeat(20)}`);
    await eventually(() => expect(signed()).toHaveLength(1));
  });

  it('still takes effect after a restart', async () => {
    const subject = await waitsListed('withdrawal');
    await service.restart();
    movements = service.movements;
    movements.outcomes.set(OUTSIDE, 'waits');
    await later(MANY_ROUNDS_MS);
    expect(signed()).toEqual([]);
    await movements.review(subject, 'clear');
    await eventually(() => expect(signed()).toHaveLength(1));
  });
});

describe('A transaction that waits to be signed', () => {
  it('is not screened when it goes to one of our wallets', async () => {
    const target = await movements.wallet(OTHER);
    chains.base.setReachable(false);
    await transfer(target);
    await intended();
    await later(2 * SCREEN_AGAIN_MS);
    chains.base.setReachable(true);
    await eventually(() => expect(signed()).toHaveLength(1));
    expect(movements.screened).toEqual([]);
  });
});
