import { CHAINS } from '@ponte/kernel';
import { parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { SimulatedChain } from '../../../chain/adapters/simulated/simulated.chain.adapter';
import { simulatedDeployment } from '../../../chain/adapters/simulated/simulated-deployment';
import type { Hex } from '../../../chain/chain.port';
import { SigningRefused } from '../../../signer-policy/signing-policy';
import { recoveredSender } from '../recovered-sender';
import { SimulatedSigner } from '../simulated.keystore.adapter';
import { policedSigner } from './policed.signer.adapter';

const deployments = CHAINS.map(simulatedDeployment);
const base = simulatedDeployment('eth-base');
const contracts = new SimulatedChain({ chain: 'eth-base', deployment: base });
const keys = new SimulatedSigner();
const FEES = { maxFeePerGas: 20n, maxPriorityFeePerGas: 10n } as const;
const REFERENCE: Hex = `0x${'1'.repeat(64)}`;
const mint = contracts.mintCall({
  reference: REFERENCE,
  asset: 'eth-base/brlv',
  to: `0x${'ab'.repeat(20)}`,
  units: 5n * 10n ** 18n,
});
const transaction = { chainId: 8453, nonce: 7, ...mint, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
/** A policy that would not sign the mint for the first time. */
const signer = policedSigner(keys, {
  operatorKeyIds: ['operator', 'operator-2'],
  deployments,
  limits: { 'eth-base/brlv': { transaction: '1', hour: '1' } },
  now: () => 0,
});
const ruleOf = (signing: Promise<unknown>): Promise<string> =>
  signing.then(
    () => 'signed',
    (error: unknown) => (error instanceof SigningRefused ? error.rule : String(error)),
  );

describe('The policy of the signer for raised fees', () => {
  it('signs what the key has signed before, with the new fees only, whatever the limits are', async () => {
    const before = await keys.signTransaction('operator', transaction);
    expect(await ruleOf(signer.signTransaction('operator', transaction))).toBe('amount');
    const { raw } = await signer.signReplacement('operator', before.raw, FEES);
    const unsigned = ({ r: _r, s: _s, yParity: _y, v: _v, ...rest }: ReturnType<typeof parseTransaction>) => rest;
    expect(unsigned(parseTransaction(raw))).toEqual({ ...unsigned(parseTransaction(before.raw)), ...FEES });
    expect(await keys.senderOf(raw)).toBe(await keys.addressOf('operator'));
  });

  it('refuses bytes of another key, of a key that is no operator, and calls that operators do not make', async () => {
    const { raw } = await keys.signTransaction('operator-2', transaction);
    expect(await ruleOf(signer.signReplacement('operator', raw, FEES))).toBe('key');
    expect(await ruleOf(signer.signReplacement('treasury', raw, FEES))).toBe('key');
    const foreign = await keys.signTransaction('operator', { ...transaction, to: `0x${'cd'.repeat(20)}` });
    expect(await ruleOf(signer.signReplacement('operator', foreign.raw, FEES))).toBe('contract');
  });
});

it('the sender of signed bytes is recovered from the signature', async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const raw = await account.signTransaction({ type: 'eip1559', ...transaction });
  expect(await recoveredSender(raw)).toBe(account.address.toLowerCase());
  const changed = raw.replace('ab'.repeat(20), 'cd'.repeat(20)) as Hex;
  expect(changed).not.toBe(raw);
  expect(await recoveredSender(changed)).not.toBe(account.address.toLowerCase());
});
