import { eventually } from '@ponte/testing';
import { askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER } from '../testing/certificates-under-test';
import type { RpcProxy } from '../testing/rpc-proxy';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { Hex } from '../chain/chain.port';
import { CertificatesOnAnvil, CONFIRMATIONS } from '../testing/certificates-on-anvil';

const OUTSIDE: Hex = `0x${'cd'.repeat(20)}`;
const GWEI_100 = `0x${(100n * 10n ** 9n).toString(16)}`;

let onAnvil: CertificatesOnAnvil;
let movements: CertificatesUnderTest;
let proxy: RpcProxy;
let url: string;
let miner: CertificatesOnAnvil['miner'];

beforeAll(async () => {
  onAnvil = await CertificatesOnAnvil.start();
  ({ movements, proxy, url, miner } = onAnvil);
});
afterAll(() => onAnvil.stop());

afterEach(() => {
  proxy.rules = [];
  movements.statuses.set(OWNER, 'active').set(OTHER, 'active');
  miner.resume();
});

const ownerOf = (id: string) => movements.evm.certificates.ownerOf(referenceOf(id));
const mine = () => askNodeOne(url, 'evm_mine');
const ofTransfer = (type: string) => (id: string) =>
  movements.ofType(type).filter(({ data }) => (data as { purpose?: { id: string } }).purpose?.id === id);
const signed = ofTransfer('TransactionSigned');
const raised = ofTransfer('TransactionFeeRaised');

/** How many blocks a reorg must replace to remove the transfer. */
async function depthOf(id: string): Promise<number> {
  const [confirmed] = ofTransfer('TransactionConfirmed')(id);
  const { blockNumber } = confirmed?.data as { readonly blockNumber: string };
  return (await movements.evm.headBlock()).number - Number(blockNumber) + 1;
}

describe('a transfer of a certificate on a real chain', () => {
  it('moves it once when the first bytes are dropped, or are stuck until their fees are raised', async () => {
    const [dropped, stuck] = [await movements.minted(), await movements.minted()];
    let lost = 0;
    proxy.rules = [
      ({ method }) =>
        method === 'eth_sendRawTransaction' && (lost += 1) === 1 ? { result: `0x${'0'.repeat(64)}` } : undefined,
    ];
    expect(await movements.ended((await movements.transfer(dropped, OUTSIDE)).id)).toMatchObject({
      state: 'completed',
    });
    expect([lost > 1, await ownerOf(dropped.id)]).toEqual([true, OUTSIDE]);
    proxy.rules = [];
    await miner.pause();
    const { id } = await movements.transfer(stuck, OUTSIDE);
    await eventually(() => expect(signed(id)).toHaveLength(1));
    // Above the fees that were offered.
    await askNodeOne(url, 'anvil_setNextBlockBaseFeePerGas', GWEI_100);
    await mine();
    // Fees may have been raised before that block, too.
    await eventually(() => expect(raised(id)).not.toHaveLength(0));
    miner.resume();
    expect(await movements.ended(id)).toMatchObject({ state: 'completed' });
    expect(await ownerOf(stuck.id)).toBe(OUTSIDE);
    expect(
      movements.ofType('NftTransferCompleted').filter(({ data }) => (data as { transferId: string }).transferId === id),
    ).toHaveLength(1);
  });

  it("is sent again after a reorg; the account is frozen, and the certificate stays the receiver's", async () => {
    const certificate = await movements.minted();
    const target = await movements.wallet(OTHER);
    await miner.pause();
    const { id } = await movements.transfer(certificate, target);
    await eventually(async () => {
      await mine();
      expect(await ownerOf(certificate.id)).toBe(target);
    });
    // No more blocks than those that complete it: it must not be final.
    for (let confirmations = 1; confirmations < CONFIRMATIONS; confirmations += 1) await mine();
    expect(await movements.ended(id)).toMatchObject({ state: 'completed' });
    await movements.standing(certificate.id, 'active');
    await askNodeOne(url, 'anvil_reorg', await depthOf(id), []);
    // The node puts removed transactions back into its pool, as most nodes of a provider do not.
    await askNodeOne(url, 'anvil_dropAllTransactions');
    expect(await ownerOf(certificate.id)).toBe(certificate.walletAddress);
    await eventually(() => expect(movements.ofType('ReorgedAfterCompletion')).toHaveLength(1));
    miner.resume();
    await eventually(() => expect(movements.ofType('TransactionRestored')).toHaveLength(1));
    expect(await ownerOf(certificate.id)).toBe(target);
    await eventually(() => expect(movements.frozen).toContain(OWNER));
    expect(await movements.listed(OTHER, 'active')).toEqual([`${certificate.id} active ${target}`]);
  });
});
