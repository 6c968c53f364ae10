import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { resendForgotten } from '../../../sending/resend-forgotten';
import { SimulatedSigner } from '../../../signer/adapters/simulated.keystore.adapter';
import custodyArtifact from '../../../../contracts/artifacts/Custody.json';
import minterArtifact from '../../../../contracts/artifacts/Minter.json';
import { CUSTODY_ABI, MINTER_ABI } from '../rpc/abi';
import { broadcastOutcomeOf } from '../rpc/broadcast-outcome';
import { HOLDER, freshReference, signed } from '../chain-under-test.testing';
import { SimulatedChain } from './simulated.chain.adapter';
import type { SimulatedChainOptions } from './simulated-node';

const signer = new SimulatedSigner();

function given(options: Partial<SimulatedChainOptions> = {}) {
  const chain = new SimulatedChain({ chain: 'eth-base', ...options });
  const mint = async (nonce?: number) => {
    const reference = freshReference();
    const call = chain.mintCall({ reference, asset: 'eth-base/brlv', to: HOLDER, units: 5n });
    const transaction = await signed(chain, signer, 'minter', call, nonce);
    return { ...transaction, reference, nonce: nonce ?? 0, from: await signer.addressOf('minter') };
  };
  return { chain, mint, balance: () => chain.tokenBalance('eth-base/brlv', HOLDER) };
}

describe('a simulated chain with injected faults', () => {
  it('drops bytes that it reported as accepted, and accepts the same bytes later', async () => {
    const { chain, mint, balance } = given();
    const { raw, hash } = await mint();
    chain.script({ kind: 'drop' });
    await expect(chain.broadcast(raw)).resolves.toEqual({ outcome: 'taken' });
    await expect(chain.transaction(hash)).resolves.toEqual({ status: 'missing' });
    await chain.broadcast(raw);
    await expect(balance()).resolves.toBe(5n);
  });

  it.each([true, false])('loses the reply; a read shows whether the bytes arrived (%s)', async (arrived) => {
    const { chain, mint, balance } = given();
    const { raw, hash } = await mint();
    chain.script({ kind: 'unknown', arrived });
    await expect(chain.broadcast(raw)).resolves.toMatchObject({ outcome: 'unknown' });
    await expect(chain.transaction(hash)).resolves.toMatchObject({ status: arrived ? 'mined' : 'missing' });
    await expect(chain.broadcast(raw)).resolves.toEqual({ outcome: 'taken' });
    await expect(balance()).resolves.toBe(5n);
  });

  it('reverts: the nonce is used, nothing is minted and the reference is still free', async () => {
    const { chain, mint, balance } = given();
    const { raw, hash, reference, from } = await mint();
    chain.script({ kind: 'revert' });
    await chain.broadcast(raw);
    await expect(chain.transaction(hash)).resolves.toMatchObject({
      status: 'mined',
      succeeded: false,
      revertReason: 'reverted',
    });
    await expect(chain.taken('minter', reference)).resolves.toBe(false);
    await expect(balance()).resolves.toBe(0n);
    await expect(chain.nextNonce(from, 'latest')).resolves.toBe(1);
  });

  it('delays and refuses broadcasts', async () => {
    const { chain, mint } = given({ instant: false });
    const { raw, hash } = await mint();
    chain.script({ kind: 'refuse', reason: 'insufficient-gas-money' }, { kind: 'delay', blocks: 2 });
    await expect(chain.broadcast(raw)).resolves.toMatchObject({ outcome: 'refused', reason: 'insufficient-gas-money' });
    await chain.broadcast(raw);
    chain.mine(2);
    await expect(chain.transaction(hash)).resolves.toEqual({ status: 'pooled' });
    chain.mine();
    await expect(chain.transaction(hash)).resolves.toMatchObject({ status: 'mined', blockNumber: 3 });
  });

  it.each(['repooled', 'forgotten'] as const)(
    'reorganizes: mined transactions are %s, and can be mined once more',
    async (fate) => {
      const { chain, mint, balance } = given({ instant: false });
      const { raw, hash } = await mint();
      await chain.broadcast(raw);
      chain.mine(3);
      const before = await chain.transaction(hash);
      chain.reorg(3, fate);
      await expect(balance()).resolves.toBe(0n);
      await expect(chain.transaction(hash)).resolves.toEqual({ status: fate === 'repooled' ? 'pooled' : 'missing' });
      await chain.broadcast(raw);
      chain.mine();
      const after = await chain.transaction(hash);
      expect(after).toMatchObject({ status: 'mined', succeeded: true, confirmations: 1 });
      expect(after).not.toMatchObject({ blockHash: (before as { blockHash: string }).blockHash });
      await expect(balance()).resolves.toBe(5n);
    },
  );

  it('counts a nonce as final only after its confirmations', async () => {
    const { chain, mint } = given({ instant: false, finality: 3 });
    const { raw, from } = await mint();
    await chain.broadcast(raw);
    chain.mine(2);
    await expect(chain.nextNonce(from, 'latest')).resolves.toBe(1);
    await expect(chain.nextNonce(from, 'final')).resolves.toBe(0);
    chain.mine();
    await expect(chain.nextNonce(from, 'final')).resolves.toBe(1);
  });
});

describe('resending what a chain forgot', () => {
  it('follows nonce order whatever the order of the input, stops at a gap, and changes nothing the second time', async () => {
    const { chain, mint, balance } = given();
    const stored = await Promise.all([0, 1, 2, 4].map((nonce) => mint(nonce)));
    await chain.broadcast(stored[0]?.raw ?? '0x');
    const report = await resendForgotten(
      chain,
      [3, 2, 1, 0].flatMap((index) => stored[index] ?? []),
    );
    expect(report).toEqual({ known: 1, resent: 2, refused: [], behindGap: [stored[3]?.hash] });
    await expect(balance()).resolves.toBe(15n);
    await expect(resendForgotten(chain, stored)).resolves.toMatchObject({ known: 3, resent: 0 });
    await expect(balance()).resolves.toBe(15n);
  });

  it('reports refusals, and gives up while the node does not answer', async () => {
    const { chain, mint } = given();
    const stored = [await mint(0)];
    chain.script({ kind: 'refuse', reason: 'fee-too-low' });
    await expect(resendForgotten(chain, stored)).resolves.toMatchObject({
      refused: [{ hash: stored[0]?.hash, reason: 'fee-too-low' }],
    });
    chain.script({ kind: 'unknown', arrived: true });
    await expect(resendForgotten(chain, stored)).rejects.toMatchObject({ code: 'chain-unavailable' });
    await expect(resendForgotten(chain, stored)).resolves.toMatchObject({ known: 1 });
  });
});

describe('the outcome of a failed broadcast', () => {
  const url = 'https://node.example/key-canary';
  const outcomeOf = (message: string) =>
    broadcastOutcomeOf(new RpcRequestError({ body: {}, url, error: { code: -32000, message } }));

  it.each([
    ['nonce too low: next nonce 5, tx nonce 4', 'nonce-used'],
    ['replacement transaction underpriced', 'fee-too-low'],
    ['max fee per gas less than block base fee', 'fee-too-low'],
    ['insufficient funds for gas * price + value', 'insufficient-gas-money'],
    ['invalid chain id for signer', 'invalid'],
    ['unknown transaction type: invalid rlp', 'invalid'],
    ['tx fee (1.10 ether) exceeds the configured cap (1.00 ether)', 'invalid'],
    ['Transaction fee cap exceeded', 'invalid'],
  ])('is refused: %s', (message, reason) => {
    expect(outcomeOf(message)).toEqual({ outcome: 'refused', reason, message });
  });

  it.each(['already known', 'transaction already imported', 'known transaction: 0xab'])('is taken: %s', (message) => {
    expect(outcomeOf(message)).toEqual({ outcome: 'taken' });
  });

  it('is unknown for anything else, and never contains the address of the provider', () => {
    const outages = [
      new TimeoutError({ body: {}, url }),
      new HttpRequestError({ url, status: 502 }),
      new HttpRequestError({ url, cause: new Error(`fetch ${url}`) }),
      new Error(`fetch ${url}`),
      'text',
    ];
    for (const outcome of [...outages.map(broadcastOutcomeOf), outcomeOf('txpool is full'), outcomeOf('')]) {
      expect(outcome).toMatchObject({ outcome: 'unknown' });
      expect(JSON.stringify(outcome)).not.toContain('canary');
    }
  });
});

it('a simulated chain reverts calls of a sender while its role is revoked, even after a reorg', async () => {
  const { chain, mint, balance } = given({ finality: 2, instant: false });
  const { raw, hash, from } = await mint();
  const operatorAtFinality = async () =>
    (await chain.atFinality({ sender: from, hashes: [], reference: null, asksRole: true })).role?.isOperator;
  chain.setOperator(from, false);
  expect([await operatorAtFinality(), await chain.isOperator('minter', from)]).toEqual([true, false]);
  await chain.broadcast(raw);
  chain.mine(1);
  expect(await operatorAtFinality()).toBe(false);
  chain.reorg(1, 'repooled');
  chain.mine(1);
  await expect(chain.transaction(hash)).resolves.toMatchObject({ revertReason: 'AccessControlUnauthorizedAccount' });
  chain.setOperator(from, true);
  const again = await mint(1);
  await chain.broadcast(again.raw);
  chain.mine(1);
  await expect(balance()).resolves.toBe(5n);
});

it('the ABIs that the service uses are parts of the compiled contracts', () => {
  const shape = (item: { type: string; name?: string; inputs?: readonly { type: string }[] }) =>
    `${item.type} ${item.name}(${(item.inputs ?? []).map((input) => input.type).join()})`;
  for (const [artifact, abi] of [
    [minterArtifact, MINTER_ABI],
    [custodyArtifact, CUSTODY_ABI],
  ] as const) {
    const compiled = artifact.abi.map((item) => shape(item as { type: string }));
    expect(compiled).toEqual(expect.arrayContaining(abi.map((item) => shape(item))));
  }
});
