import type { AssetId } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import type { Abi } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem';
import { CUSTODY_ABI, MINTER_ABI } from '../../../chain/adapters/rpc/abi';
import { SimulatedChain } from '../../../chain/adapters/simulated/simulated.chain.adapter';
import { simulatedDeployment } from '../../../chain/adapters/simulated/simulated-deployment';
import { SimulatedSigner } from '../simulated.keystore.adapter';
import type { Hex } from '../../../chain/chain.port';
import type { UnsignedTransaction } from '../../signer.port';
import type { SignerLimits } from '../../../signer-policy/signing-policy';
import { SigningRefused } from '../../../signer-policy/signing-policy';
import { policedSigner } from './policed.signer.adapter';

const deployments = CHAINS.map(simulatedDeployment);
const base = deployments.find(({ chain }) => chain === 'eth-base') ?? simulatedDeployment('eth-base');
const contracts = new SimulatedChain({ chain: 'eth-base', deployment: base });
const TO: Hex = `0x${'ab'.repeat(20)}`;
const UNIT = 10n ** 18n;
const BRLV: AssetId = 'eth-base/brlv';
const LIMITS: SignerLimits = { [BRLV]: { transaction: '100', hour: '250' } };
const custody = (functionName: string, args: readonly unknown[]) => ({
  to: base.custody,
  data: encodeFunctionData({ abi: CUSTODY_ABI as Abi, functionName, args }),
});
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
  const signer = policedSigner(keys, { operatorKeyIds: ['operator', 'operator-2'], deployments, limits: LIMITS, now });
  const sign = (change: Partial<UnsignedTransaction>, keyId = 'operator') =>
    signer.signTransaction(keyId, { chainId: 8453, ...FEES, gas: 200_000n, ...change });
  const mint = (units = UNIT, ref = reference()) => contracts.mintCall({ reference: ref, asset: BRLV, to: TO, units });
  const send = (units = UNIT, ref = reference()) =>
    contracts.sendTokenCall({ reference: ref, asset: BRLV, to: TO, units, wallets: [reference(), reference()] });
  const redeem = (units = UNIT, ref = reference()) =>
    contracts.redeemCall({ reference: ref, asset: BRLV, units, wallets: [reference(), reference()] });
  return { keys, signer, sign, mint, send, redeem };
}
const ruleOf = (signing: Promise<unknown>): Promise<string> =>
  signing.then(
    () => 'signed',
    (error: unknown) => (error instanceof SigningRefused ? error.rule : String(error)),
  );

describe('the policy of the signer', () => {
  it('signs the calls that operators make, with each operator key, and returns their addresses', async () => {
    const { keys, signer, sign, mint, send, redeem } = given();
    const shares = { asset: 'eth-base/wbrly', units: UNIT } as const;
    for (const call of [
      mint(),
      send(),
      contracts.mintCall({ ...shares, reference: reference(), to: TO, maxBacking: UNIT }),
      redeem(),
      contracts.redeemCall({ ...shares, reference: reference(), minBacking: UNIT, wallets: [reference()] }),
    ]) {
      await expect(ruleOf(sign(call))).resolves.toBe('signed');
      await expect(ruleOf(sign(call, 'operator-2'))).resolves.toBe('signed');
    }
    expect(keys.signatures).toBe(10);
    await expect(signer.addressOf('operator')).resolves.toBe(await keys.addressOf('operator'));
  });

  it('limits how much of an asset a transaction and an hour may move, and counts a reference once', async () => {
    let now = 0;
    const { sign, send, mint } = given(() => now);
    await expect(ruleOf(sign(send(100n * UNIT + 1n)))).resolves.toBe('amount');
    const first = reference();
    for (const nonce of [0, 1, 2])
      await expect(ruleOf(sign({ ...send(100n * UNIT, first), nonce }))).resolves.toBe('signed');
    await expect(ruleOf(sign(mint(100n * UNIT)))).resolves.toBe('signed');
    await expect(ruleOf(sign(send(51n * UNIT)))).resolves.toBe('hourly');
    await expect(ruleOf(sign(send(50n * UNIT)))).resolves.toBe('signed');
    await expect(ruleOf(sign(mint(1n)))).resolves.toBe('hourly');
    // Another asset has its own hourly limit.
    const other = { reference: reference(), asset: 'eth-base/usdc', to: TO, units: 1n, wallets: [first] } as const;
    await expect(ruleOf(sign(contracts.sendTokenCall(other)))).resolves.toBe('signed');
    now = 3_600_001;
    await expect(ruleOf(sign(send(100n * UNIT)))).resolves.toBe('signed');
  });

  it('limits how much of an asset a transaction and an hour may redeem, and counts a reference once', async () => {
    const { sign, redeem, send } = given();
    await expect(ruleOf(sign(redeem(100n * UNIT + 1n)))).resolves.toBe('amount');
    const tooManyShares = 10_000_000n * UNIT + 1n;
    const shares = { asset: 'eth-base/wbrly', minBacking: 1n } as const;
    await expect(
      ruleOf(
        sign(contracts.redeemCall({ ...shares, reference: reference(), units: tooManyShares, wallets: [reference()] })),
      ),
    ).resolves.toBe('amount');
    const first = reference();
    for (const nonce of [0, 1])
      await expect(ruleOf(sign({ ...redeem(100n * UNIT, first), nonce }))).resolves.toBe('signed');
    await expect(ruleOf(sign(send(100n * UNIT)))).resolves.toBe('signed');
    await expect(ruleOf(sign(redeem(51n * UNIT)))).resolves.toBe('hourly');
    await expect(ruleOf(sign(redeem(50n * UNIT)))).resolves.toBe('signed');
  });

  it('signs what it has authorized, and counts nothing for what it refuses', async () => {
    const { signer, sign, send } = given();
    const calls = [send(100n * UNIT), send(100n * UNIT), send(50n * UNIT)];
    for (const call of calls) await signer.authorize('operator', { chainId: 8453, ...call });
    await expect(ruleOf(signer.authorize('operator', { chainId: 8453, ...send(1n) }))).resolves.toBe('hourly');
    for (const call of calls) await expect(ruleOf(sign(call))).resolves.toBe('signed');
  });

  it('signs none of 1,000 hostile requests', async () => {
    const { keys, sign, mint, send, redeem } = given();
    const token = base.tokens[BRLV] ?? TO;
    const erc20 = parseAbi([
      'function transfer(address to, uint256 value)',
      'function approve(address spender, uint256 value)',
      'function transferFrom(address a, address b, uint256 v)',
    ]);
    const admin = parseAbi([
      'function grantRole(bytes32 role, address account)',
      'function mint(address to, uint256 amount)',
      'function burn(uint256 amount)',
    ]);
    const role: Hex = `0x${'00'.repeat(32)}`;
    const many = Array.from({ length: 21 }, reference);
    const hostile: ((at: number) => readonly [Partial<UnsignedTransaction>, string?])[] = [
      () => [{ ...send(), chainId: 5 }],
      () => [{ ...send(), chainId: 1 }],
      () => [{ ...mint(), chainId: 4217 }],
      (at) => [{ ...send(), chainId: at + 10_000 }],
      () => [{ to: TO, value: 1n }],
      () => [{ ...send(), value: 1n }],
      () => [{ data: '0x6000' }],
      () => [{ to: TO, data: send().data }],
      (at) => [
        { to: token, data: encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [TO, BigInt(at)] }) },
      ],
      (at) => [
        { to: token, data: encodeFunctionData({ abi: erc20, functionName: 'approve', args: [TO, BigInt(at)] }) },
      ],
      () => [{ to: token, data: encodeFunctionData({ abi: erc20, functionName: 'transferFrom', args: [TO, TO, 1n] }) }],
      () => [{ to: token, data: encodeFunctionData({ abi: admin, functionName: 'mint', args: [TO, 1n] }) }],
      () => [{ to: token, data: encodeFunctionData({ abi: admin, functionName: 'burn', args: [1n] }) }],
      (at) => [
        {
          to: at % 2 ? base.minter : base.custody,
          data: encodeFunctionData({ abi: admin, functionName: 'grantRole', args: [role, TO] }),
        },
      ],
      (at) => [{ ...send(101n * UNIT + BigInt(at)) }],
      (at) => [{ ...mint(2n ** 255n + BigInt(at)) }],
      () => [custody('sendToken', [reference(), TO, TO, 1n, [reference()]])],
      () => [custody('sendToken', [reference(), token, TO, 1n, []])],
      () => [custody('sendToken', [reference(), token, TO, 1n, many])],
      () => [{ ...redeem(), to: base.minter }],
      (at) => [{ ...redeem(101n * UNIT + BigInt(at)) }],
      () => [{ ...redeem(), data: redeem().data.slice(0, -2) as Hex }],
      () => [custody('redeemToken', [reference(), TO, 1n, [reference()]])],
      () => [custody('redeemToken', [reference(), token, 1n, []])],
      () => [custody('redeemShares', [reference(), token, 1n, 1n, many])],
      () => [redeem(), 'treasury'],
      () => [custody('sendNft', [reference(), reference(), TO, TO, 1n])],
      () => [
        {
          to: base.minter,
          data: encodeFunctionData({ abi: MINTER_ABI, functionName: 'mint', args: [reference(), TO, TO, 1n] }),
        },
      ],
      () => [{ to: base.minter, data: send().data }],
      () => [{ to: base.custody, data: mint().data }],
      () => [{ to: base.custody, data: `${send().data}00` }],
      () => [{ to: base.custody, data: send().data.slice(0, -2) as Hex }],
      () => [{ to: base.custody }],
      () => [send(), 'treasury'],
      () => [mint(), 'deployer'],
      (at) => [send(), `wallet/${at}`],
      () => [send(), 'operator-3'],
    ];
    for (let at = 0; at < 1_000; at += 1) {
      const [request, keyId] = (hostile[at % hostile.length] as (typeof hostile)[number])(at);
      const rule = await ruleOf(sign(request, keyId));
      expect([at % hostile.length, rule]).toEqual([
        at % hostile.length,
        expect.stringMatching(/^(key|chain|contract|function|value|token|amount)$/),
      ]);
    }
    expect(keys.signatures).toBe(0);
  });
});
