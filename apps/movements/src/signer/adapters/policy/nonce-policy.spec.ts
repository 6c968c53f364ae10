import { CHAINS } from '@ponte/kernel';
import { simulatedDeployment } from '../../../chain/adapters/simulated/simulated-deployment';
import { SigningRefused } from '../../../signer-policy/signing-policy';
import type { UnsignedTransaction } from '../../signer.port';
import { SimulatedSigner } from '../simulated.keystore.adapter';
import { policedSigner } from './policed.signer.adapter';

const signer = policedSigner(new SimulatedSigner(), {
  operatorKeyIds: ['operator', 'operator-2'],
  deployments: CHAINS.map(simulatedDeployment),
  limits: {},
  now: () => 0,
});
const FEES = { nonce: 3, gas: 100_000n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n } as const;

async function answerTo(change: Partial<UnsignedTransaction>, keyId = 'operator'): Promise<string> {
  try {
    await signer.signTransaction(keyId, { chainId: 8453, ...FEES, ...change });
    return 'signed';
  } catch (error) {
    return error instanceof SigningRefused ? error.rule : String(error);
  }
}

it('the policy signs a transaction of an operator key to itself only if it does nothing except use a nonce', async () => {
  const [own, other] = [await signer.addressOf('operator'), await signer.addressOf('operator-2')];
  await expect(answerTo({ to: own })).resolves.toBe('signed');
  await expect(answerTo({ to: other })).resolves.toBe('contract');
  await expect(answerTo({ to: own, value: 1n })).resolves.toBe('value');
  await expect(answerTo({ to: own, data: '0x00' })).resolves.toBe('contract');
  await expect(answerTo({ to: own, chainId: 1_000_000 })).resolves.toBe('chain');
  await expect(answerTo({ to: await signer.addressOf('treasury') }, 'treasury')).resolves.toBe('key');
});
