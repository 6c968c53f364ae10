import { HOLDER, sendAndMine, freshReference } from '../chain/adapters/chain-under-test.testing';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';

const ASSET = 'eth-base/brlv';
const signer = new SimulatedSigner();

describe('what a simulated node reads at an earlier block', () => {
  it('leaves out what was minted and sent in later blocks', async () => {
    const chain = new SimulatedChain({ chain: 'eth-base' });
    const [node] = chain.logNodes;
    const salt = freshReference();
    const wallet = chain.walletAddress(salt);
    const mint = async (units: bigint) =>
      sendAndMine(
        { chain, signer },
        'minter',
        chain.mintCall({ reference: freshReference(), asset: ASSET, to: wallet, units }),
      );
    const blocks = [await chain.headBlock()];
    const mined = async () => blocks.push(await chain.headBlock());
    await mint(5n);
    await mined();
    await mint(3n);
    await mined();
    const send = chain.sendTokenCall({
      reference: freshReference(),
      asset: ASSET,
      to: HOLDER,
      units: 6n,
      wallets: [salt],
    });
    await sendAndMine({ chain, signer }, 'custody', send);
    await mined();

    const read = async (block: (typeof blocks)[number]) => ({
      held: await node?.unitsHeld(block, [wallet, HOLDER]),
      deployed: await node?.areDeployed(block, [wallet]),
      tokens: await chain.tokensAt(block, ASSET, [wallet]),
    });
    const at = await Promise.all(blocks.map(read));
    expect(at).toEqual([
      { held: [0n, 0n], deployed: [false], tokens: { supply: 0n, balances: [0n] } },
      { held: [5n, 0n], deployed: [false], tokens: { supply: 5n, balances: [5n] } },
      { held: [8n, 0n], deployed: [false], tokens: { supply: 8n, balances: [8n] } },
      { held: [2n, 6n], deployed: [true], tokens: { supply: 8n, balances: [2n] } },
    ]);
  });
});
