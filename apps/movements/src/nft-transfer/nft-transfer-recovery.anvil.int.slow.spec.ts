import { eventually } from '@ponte/testing';
import { askNode, askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
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

beforeAll(async () => {
  onAnvil = await CertificatesOnAnvil.start();
  ({ movements, proxy, url } = onAnvil);
});
afterAll(() => onAnvil.stop());

afterEach(() => {
  proxy.rules = [];
  movements.statuses.set(OWNER, 'active').set(OTHER, 'active');
});

const ownerOf = (id: string) => movements.evm.certificates.ownerOf(referenceOf(id));
const mine = (blocks: number) =>
  askNode(
    url,
    Array.from({ length: blocks }, () => ({ method: 'evm_mine' })),
  );

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
    const { id } = await movements.transfer(stuck, OUTSIDE);
    // Above the fees that were offered.
    await askNodeOne(url, 'anvil_setNextBlockBaseFeePerGas', GWEI_100);
    expect(await movements.ended(id)).toMatchObject({ state: 'completed' });
    expect(await ownerOf(stuck.id)).toBe(OUTSIDE);
    expect(
      movements.ofType('NftTransferCompleted').filter(({ data }) => (data as { transferId: string }).transferId === id),
    ).toHaveLength(1);
  });

  it("is sent again after a reorg; the account is frozen, and the certificate stays the receiver's", async () => {
    const certificate = await movements.minted();
    const target = await movements.wallet(OTHER);
    const { id } = await movements.transfer(certificate, target);
    expect(await movements.ended(id)).toMatchObject({ state: 'completed' });
    await movements.standing(certificate.id, 'active');
    await askNodeOne(url, 'anvil_reorg', CONFIRMATIONS + 1, []);
    await mine(1);
    await eventually(async () => {
      await mine(1);
      expect(await ownerOf(certificate.id)).toBe(target);
      expect(
        movements.ofType('ReorgedAfterCompletion').length === 0 || movements.ofType('TransactionRestored').length > 0,
      ).toBe(true);
    });
    expect(await movements.listed(OTHER, 'active')).toEqual([`${certificate.id} active ${target}`]);
    if (movements.ofType('ReorgedAfterCompletion').length > 0) expect(movements.frozen).toContain(OWNER);
  });
});
