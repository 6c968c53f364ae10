import { SimulatedSigner } from '../../../signer/adapters/simulated.keystore.adapter';
import type { ContractCall, Hex } from '../../chain.port';
import { HOLDER, freshReference, signed } from '../chain-under-test.testing';
import { SimulatedChain } from './simulated.chain.adapter';

const signer = new SimulatedSigner();
const NO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;

let chain: SimulatedChain;
beforeEach(() => {
  chain = new SimulatedChain({ chain: 'eth-base', instant: false });
});

const broadcast = async (call: ContractCall): Promise<Hex> => {
  const { raw, hash } = await signed(chain, signer, 'minter', call);
  await chain.broadcast(raw);
  return hash;
};

describe('like a real node, a simulated chain', () => {
  it('has no receipt of a certificate that was not minted yet or whose block was removed', async () => {
    const certificate = freshReference();
    const movement = { certificate, from: NO_ADDRESS, to: HOLDER };
    const hash = await broadcast(chain.certificates.mintCall(certificate, HOLDER));
    await expect(chain.certificates.moved(hash, movement)).rejects.toMatchObject({ code: 'chain-unavailable' });
    chain.mine();
    await expect(chain.certificates.moved(hash, movement)).resolves.toBe(true);
    await expect(chain.certificates.moved(hash, { ...movement, to: NO_ADDRESS })).resolves.toBe(false);
    chain.reorg(1, 'repooled');
    await expect(chain.certificates.moved(hash, movement)).rejects.toMatchObject({ code: 'chain-unavailable' });
    chain.mine();
    await expect(chain.certificates.moved(hash, movement)).resolves.toBe(true);
  });

  it('has no state of a block that was replaced', async () => {
    await broadcast(chain.mintCall({ reference: freshReference(), asset: 'eth-base/brlv', to: HOLDER, units: 5n }));
    chain.mine();
    const block = await chain.headBlock();
    const read = () => chain.tokensAt(block, 'eth-base/brlv', [HOLDER]);
    await expect(read()).resolves.toEqual({ supply: 5n, balances: [5n] });
    chain.reorg(1, 'forgotten');
    await expect(read()).rejects.toMatchObject({ code: 'chain-unavailable' });
    chain.mine();
    await expect(read()).rejects.toMatchObject({ code: 'chain-unavailable' });
  });
});
