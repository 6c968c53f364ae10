import { temporaryFolder } from '@ponte/testing';
import { LocalKeystore } from '../../../signer/adapters/local.keystore.adapter';
import { HOLDER, freshReference, signed } from '../chain-under-test.testing';
import { askNodeOne } from './json-rpc';
import { LocalChains } from './local-anvil';

const OPERATOR = 'minter';
/** More questions than a miner needs to notice a transaction. */
const READS = 500;
const folder = temporaryFolder();
let signer: LocalKeystore;
let chains: LocalChains;

beforeAll(async () => {
  signer = await LocalKeystore.open({ file: `${folder.path}/keystore.json`, passphrase: 'correct horse' });
  chains = await LocalChains.start({
    folder: `${folder.path}/chains`,
    signer,
    operatorKeyIds: [OPERATOR],
    treasuryKeyId: 'treasury',
    chains: ['tempo'],
    blockMs: null,
  });
});
afterAll(async () => {
  await chains.stop();
  folder.remove();
});

it('a local chain without a block interval mines only the blocks that it is asked for', async () => {
  const { chain, url } = chains.of('tempo');
  const { number: head } = await chain.headBlock();
  const call = chain.mintCall({ reference: freshReference(), asset: 'tempo/brlv', to: HOLDER, units: 5n });
  const { raw, hash } = await signed(chain, signer, OPERATOR, call);
  // This ends the rest of a miner at once.
  await chain.broadcast(raw);
  for (let look = 0; look < READS; look += 1) expect(await chain.transaction(hash)).toEqual({ status: 'pooled' });
  await askNodeOne(url, 'evm_mine');
  expect(await chain.transaction(hash)).toMatchObject({ status: 'mined', blockNumber: head + 1 });
});
