import { Unavailable } from '@ponte/kernel';
import { freshReference, signed } from '../chain/adapters/chain-under-test.testing';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { callOf } from '../sending/contract-calls';
import type { Sent } from '../transactions/chain-transaction.state';
import { AT, terms } from '../transactions/chain-transaction.testing';
import { HarmlessBytes } from './harmless-bytes.service';

const KEY = 'operator';
const signer = new SimulatedSigner();

/** A mint that is signed with the nonce, on a chain whose blocks are final with the next one. */
async function given({ nonce = 1, deployment }: { nonce?: number; deployment?: 'another' } = {}) {
  const evm = new SimulatedChain({ chain: 'eth-base', instant: false, finality: 2 });
  const from = await signer.addressOf(KEY);
  const named = deployment && { ...evm.deployment, minter: `0x${'cd'.repeat(20)}` as Hex };
  const call = callOf(named ? new SimulatedChain({ chain: 'eth-base', deployment: named }) : evm, terms);
  const { raw, hash: txHash } = await signed(evm, signer, KEY, call, nonce);
  const fees = { maxFeePerGas: '3', maxPriorityFeePerGas: '1' };
  const bytes = { nonce, raw, txHash, ...fees };
  const intent = { transactionId: 't', chain: 'eth-base', from, purpose: terms, intendedAt: AT } as const;
  const sent: Sent = { intent, signed: bytes, attempts: [bytes], reorgs: 0 };
  const harmless = new HarmlessBytes({ of: () => ({ evm }) } as unknown as ServedChains);
  /** Another transaction of the key. */
  const rival = async (used: number, data = evm.transferCall({ asset: 'eth-base/usdc', to: from, units: 0n })) =>
    evm.broadcast((await signed(evm, signer, KEY, data, used)).raw);
  return { evm, from, raw, sent, rival, outlook: async (of = sent) => (await harmless.outlook(of)).kind, harmless };
}

/** The role is revoked in a final block. */
const revoke = ({ evm, from }: Awaited<ReturnType<typeof given>>) => {
  evm.setOperator(from, false);
  evm.mine(1);
};

describe('the signed bytes of a lost key', () => {
  it('are harmless when a final block and the newest one do not accept the key', async () => {
    const one = await given();
    expect(await one.outlook()).toBe('accepted');
    one.evm.setOperator(one.from, false);
    expect(await one.outlook()).toBe('accepted');
    one.evm.mine(1);
    const { number, hash: blockHash } = await one.evm.finalBlock();
    await expect(one.harmless.outlook(one.sent)).resolves.toEqual({
      kind: 'harmless',
      revoked: { contract: one.evm.deployment.minter, blockNumber: String(number), blockHash },
    });
    one.evm.setOperator(one.from, true);
    expect(await one.outlook()).toBe('accepted');
  });

  it('are not judged when their nonce is used in a final block, whichever transaction used it', async () => {
    const [reverted, superseded] = [await given({ nonce: 0 }), await given({ nonce: 0 })];
    revoke(reverted);
    await reverted.evm.broadcast(reverted.raw);
    revoke(superseded);
    await superseded.rival(0);
    for (const { evm, outlook } of [reverted, superseded]) {
      evm.mine(1);
      expect(await outlook()).toBe('harmless');
      evm.mine(1);
      expect(await outlook()).toBe('nonce-used');
    }
  });

  it('are not judged when the nodes have their receipt without their nonce, which is contradictory', async () => {
    const one = await given();
    revoke(one);
    const evidence = await one.evm.atFinality({ sender: one.from, hashes: [], reference: null, asksRole: true });
    const { number: blockNumber, hash: blockHash } = evidence.block;
    const receipts = [{ hash: one.sent.signed.txHash as Hex, succeeded: false, blockNumber, blockHash }];
    jest.spyOn(one.evm, 'atFinality').mockResolvedValueOnce({ ...evidence, receipts });
    expect(await one.outlook()).toBe('nonce-used');
    expect(await one.outlook()).toBe('harmless');
  });

  it('are not harmless when the effect exists, although the role was revoked later', async () => {
    const one = await given({ nonce: 0 });
    await one.evm.broadcast(one.raw);
    one.evm.mine(1);
    revoke(one);
    expect(await one.outlook()).toBe('on-chain');
  });

  it('are not harmless when another transaction had their effect in the newest block', async () => {
    const one = await given();
    revoke(one);
    const another = new SimulatedSigner('another');
    await one.evm.broadcast((await signed(one.evm, another, KEY, callOf(one.evm, terms), 0)).raw);
    one.evm.mine(1);
    expect(await one.outlook()).toBe('on-chain');
  });

  it('are not harmless when any node has their effect in its newest block, although the first one lags', async () => {
    const one = await given();
    revoke(one);
    jest.spyOn(one.evm, 'takenAnywhere').mockResolvedValueOnce(true);
    expect(await one.outlook()).toBe('on-chain');
    expect(await one.outlook()).toBe('harmless');
  });

  it('are not judged when any of them calls another contract, or is no transaction', async () => {
    const one = await given({ deployment: 'another' });
    revoke(one);
    expect(await one.outlook()).toBe('other-contract');
    const two = await given();
    revoke(two);
    const attempts = [two.sent.signed, { ...two.sent.signed, raw: '0x', txHash: freshReference() }];
    expect(await two.outlook({ ...two.sent, attempts })).toBe('other-contract');
    expect(await two.outlook()).toBe('harmless');
  });

  it('are not judged while the nodes do not answer', async () => {
    const one = await given();
    revoke(one);
    one.evm.setReachable(false);
    await expect(one.outlook()).rejects.toBeInstanceOf(Unavailable);
  });
});
