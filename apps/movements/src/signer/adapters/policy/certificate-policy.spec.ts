import { CHAINS } from '@ponte/kernel';
import { encodeFunctionData, parseAbi } from 'viem';
import { CERTIFICATE_ABI, CUSTODY_ABI } from '../../../chain/adapters/rpc/abi';
import { certificateMintCall, sendCertificateCall } from '../../../chain/adapters/rpc/certificates';
import { simulatedDeployment } from '../../../chain/adapters/simulated/simulated-deployment';
import { SimulatedSigner } from '../simulated.keystore.adapter';
import type { Hex } from '../../../chain/chain.port';
import type { UnsignedTransaction } from '../../signer.port';
import { SigningRefused, parseSignerLimits } from '../../../signer-policy/signing-policy';
import { policedSigner } from './policed.signer.adapter';

const deployments = CHAINS.map(simulatedDeployment);
const base = deployments.find(({ chain }) => chain === 'eth-base') ?? simulatedDeployment('eth-base');
const mainnet = simulatedDeployment('eth-mainnet');
const certificates = base.certificates as Hex;
const TO: Hex = `0x${'ab'.repeat(20)}`;
const NO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;
const FEES = { nonce: 0, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n } as const;

class CountingKeys extends SimulatedSigner {
  signatures = 0;
  override async signTransaction(...request: Parameters<SimulatedSigner['signTransaction']>) {
    this.signatures += 1;
    return super.signTransaction(...request);
  }
}

let made = 0;
const reference = (): Hex => `0x${(made += 1).toString(16).padStart(64, '0')}`;

function given(now = () => 0) {
  const keys = new CountingKeys();
  const limits = { certificate: { transaction: '1', hour: '3' } };
  const signer = policedSigner(keys, { operatorKeyIds: ['operator'], deployments, limits, now });
  const sign = (change: Partial<UnsignedTransaction>, keyId = 'operator') =>
    signer.signTransaction(keyId, { chainId: 8453, ...FEES, gas: 200_000n, ...change });
  const mint = (ref = reference()) => certificateMintCall(base, ref, TO);
  const send = (ref = reference()) =>
    sendCertificateCall(base, { reference: ref, certificate: reference(), wallet: reference(), to: TO });
  return { keys, sign, mint, send };
}
const ruleOf = (signing: Promise<unknown>): Promise<string> =>
  signing.then(
    () => 'signed',
    (error: unknown) => (error instanceof SigningRefused ? error.rule : String(error)),
  );

describe('the policy of the signer for certificates', () => {
  it('signs mints and movements up to the hourly limit, and counts a reference once', async () => {
    let now = 0;
    const { keys, sign, mint, send } = given(() => now);
    const first = reference();
    for (const nonce of [0, 1]) await expect(ruleOf(sign({ ...mint(first), nonce }))).resolves.toBe('signed');
    for (const call of [mint(), send()]) await expect(ruleOf(sign(call))).resolves.toBe('signed');
    await expect(ruleOf(sign(send()))).resolves.toBe('hourly');
    now = 3_600_001;
    await expect(ruleOf(sign(send()))).resolves.toBe('signed');
    expect(keys.signatures).toBe(5);
  });

  it('does not sign hostile variants', async () => {
    const { keys, sign, mint, send } = given();
    const nft = parseAbi([
      'function transferFrom(address from, address to, uint256 id)',
      'function approve(address to, uint256 id)',
      'function setApprovalForAll(address operator, bool approved)',
      'function grantRole(bytes32 role, address account)',
      'function mint(address to, uint256 amount)',
    ]);
    const sendNft = (token: Hex, to: Hex) =>
      encodeFunctionData({
        abi: CUSTODY_ABI,
        functionName: 'sendNft',
        args: [reference(), reference(), token, to, 1n],
      });
    const mintTo = (to: Hex) =>
      encodeFunctionData({ abi: CERTIFICATE_ABI, functionName: 'mint', args: [reference(), to] });
    const hostile: (readonly [Partial<UnsignedTransaction>, string?])[] = [
      [{ ...mint(), chainId: 1 }],
      [{ ...send(), chainId: 4217 }],
      [{ ...mint(), chainId: 5 }],
      [{ ...mint(), value: 1n }],
      [{ ...send(), value: 1n }],
      [{ to: TO, data: mint().data }],
      [{ to: base.minter, data: mint().data }],
      [{ to: base.custody, data: mint().data }],
      [{ to: certificates, data: send().data }],
      [{ to: mainnet.custody, data: send().data }],
      [{ to: base.custody, data: sendNft(TO, TO) }],
      [{ to: base.custody, data: sendNft(base.tokens['eth-base/brlv'] as Hex, TO) }],
      [{ to: base.custody, data: sendNft(certificates, NO_ADDRESS) }],
      [{ to: certificates, data: mintTo(NO_ADDRESS) }],
      [{ to: certificates, data: encodeFunctionData({ abi: nft, functionName: 'transferFrom', args: [TO, TO, 1n] }) }],
      [{ to: certificates, data: encodeFunctionData({ abi: nft, functionName: 'approve', args: [TO, 1n] }) }],
      [
        {
          to: certificates,
          data: encodeFunctionData({ abi: nft, functionName: 'setApprovalForAll', args: [TO, true] }),
        },
      ],
      [
        {
          to: certificates,
          data: encodeFunctionData({ abi: nft, functionName: 'grantRole', args: [reference(), TO] }),
        },
      ],
      [{ to: certificates, data: encodeFunctionData({ abi: nft, functionName: 'mint', args: [TO, 1n] }) }],
      [{ to: certificates, data: `${mint().data}00` }],
      [{ to: certificates, data: mint().data.slice(0, -2) as Hex }],
      [{ to: certificates, data: `${mint().data}${'0'.repeat(64)}` }],
      [{ to: base.custody, data: `${send().data}${'0'.repeat(64)}` }],
      [{ to: base.custody, data: send().data.slice(0, -64) as Hex }],
      [{ to: certificates }],
      // An address word with extra bytes.
      [{ to: certificates, data: mint().data.replace(`000000${'ab'.repeat(20)}`, `000001${'ab'.repeat(20)}`) as Hex }],
      [mint(), 'treasury'],
      [send(), 'deployer'],
      [mint(), 'operator-2'],
    ];
    for (const [at, [request, keyId]] of hostile.entries()) {
      const rule = await ruleOf(sign(request, keyId));
      expect([at, rule]).toEqual([at, expect.stringMatching(/^(key|chain|contract|function|value|token)$/)]);
    }
    expect(keys.signatures).toBe(0);
  });

  it('accepts only whole numbers as limits', () => {
    expect(parseSignerLimits('{"certificate":{"transaction":"1","hour":"5"}}')).toEqual({
      certificate: { transaction: '1', hour: '5' },
    });
    for (const hour of ['1.5', '-1', 'x']) {
      expect(() => parseSignerLimits(JSON.stringify({ certificate: { transaction: '1', hour } }))).toThrow(
        'whole numbers',
      );
    }
  });
});
