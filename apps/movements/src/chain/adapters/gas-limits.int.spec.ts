import { CHAINS } from '@ponte/kernel';
import { numberToHex } from 'viem';
import { gasLimitsOn, typicalGasOn } from '../gas-limits.domain';
import type { GasLimits } from '../gas-limits.domain';
import type { ContractCall, Hex } from '../chain.port';
import { AnvilUnderTest } from './anvil-under-test.testing';
import { HOLDER, freshReference, sendAndMine } from './chain-under-test.testing';
import { askNodeOne } from './local-anvil/json-rpc';

const anvil = new AnvilUnderTest();

interface Step {
  readonly op: string;
  readonly depth: number;
  readonly gas: number;
  readonly gasCost: number;
}

/** What anvil charges for a slot that gets a value, at least. A slot that was not reached before costs 2,100 more. */
const SLOT = 20_000;
/** What anvil charges for the deployment of a wallet: the instruction, and 200 for each byte of its code. */
const WALLET = 32_000 + 45 * 200;

/** Makes the call. The gas that it took before refunds, without new state, and the state that it created. */
async function measured(call: ContractCall, keyId = anvil.subject.operatorKeyId) {
  const from = await anvil.subject.signer.addressOf(keyId);
  const request = { from, to: call.to, data: call.data, gas: numberToHex(call.gas) };
  const traced = await askNodeOne(anvil.base.url, 'debug_traceCall', request, 'latest', {});
  const steps = (traced as { structLogs: Step[] }).structLogs;
  expect((await sendAndMine(anvil.subject, keyId, call)).mined.succeeded).toBe(true);
  const last = steps.findLast(({ depth }) => depth === 1) as Step;
  const count = (is: (step: Step) => boolean): number => steps.filter(is).length;
  const slots = count(({ op, gasCost }) => op === 'SSTORE' && gasCost >= SLOT);
  const wallets = count(({ op }) => op === 'CREATE2');
  const taken = Number(call.gas) - (last.gas - last.gasCost);
  return { work: taken - slots * SLOT - wallets * WALLET, slots, wallets };
}

type Measured = Awaited<ReturnType<typeof measured>>;

/** Gas for new state as the chains' specifications give it: Ethereum's and Base's from Glamsterdam on, Tempo's now. */
const ETHEREUM = { slot: 64 * 1_530 + 12_100, wallet: (120 + 45) * 1_530 + 14_000, firstTransaction: 0 };
const STATE_GAS = {
  'eth-mainnet': ETHEREUM,
  'eth-base': ETHEREUM,
  tempo: { slot: 250_000, wallet: 500_000 + 250_000 + 45 * 1_000, firstTransaction: 250_000 },
};

/** What the call takes on a node that charges as the chain does. */
const takenOn = (chain: (typeof CHAINS)[number], { work, slots, wallets }: Measured): number => {
  const { slot, wallet, firstTransaction } = STATE_GAS[chain];
  return firstTransaction + work + slots * slot + wallets * wallet;
};

/** A quarter of the limit must be left, for what the contracts of other companies may do. */
const expectCovered = (name: string, took: Measured, limit: (of: GasLimits) => bigint): void => {
  const tooLow = CHAINS.filter((chain) => takenOn(chain, took) * 1.25 > Number(limit(gasLimitsOn(chain))));
  expect({ name, took, tooLow }).toEqual({ name, took, tooLow: [] });
};

/** Nodes refuse a transaction with a higher gas limit: EIP-7825, and TIP-1010 on Tempo. */
const REFUSED = { 'eth-mainnet': 16_777_216n, 'eth-base': 16_777_216n, tempo: 30_000_000n };

describe('the gas limits of each chain', () => {
  const to: Hex = `0x${'5a'.repeat(20)}`;
  const salts = [freshReference(), freshReference()];

  it('cover the calls of our contracts, with all of the state that they create', async () => {
    const { chain, treasuryKeyId } = anvil.subject;
    const mint = (holder: Hex) =>
      chain.mintCall({ reference: freshReference(), asset: 'eth-base/brlv', to: holder, units: 10n });
    expectCovered('mint', await measured(mint(to)), ({ mint: limit }) => limit);
    const shares = { asset: 'eth-base/wbrly', to, units: 10n, maxBacking: 10n } as const;
    const minted = await measured(chain.mintCall({ ...shares, reference: freshReference() }));
    expectCovered('mint of shares', minted, ({ mintShares }) => mintShares);
    for (const salt of salts) await measured(mint(chain.walletAddress(salt)));
    const moved = { asset: 'eth-base/brlv', to: HOLDER, units: 15n, wallets: salts } as const;
    const sent = await measured(chain.sendTokenCall({ ...moved, reference: freshReference() }));
    expect(sent).toMatchObject({ slots: 2, wallets: 2 });
    expectCovered('movement', sent, ({ send }) => send(2));
    const wallets = [freshReference()];
    await measured(mint(chain.walletAddress(wallets[0] as Hex)));
    const burn = { asset: 'eth-base/brlv', units: 10n, wallets } as const;
    const burnt = await measured(chain.redeemCall({ ...burn, reference: freshReference() }));
    expectCovered('redemption', burnt, ({ redeem }) => redeem(1));
    const vault = { asset: 'eth-base/wbrly', units: 10n, wallets: [freshReference()] } as const;
    const owner = chain.walletAddress(vault.wallets[0] as Hex);
    await measured(chain.mintCall({ ...shares, to: owner, reference: freshReference() }));
    const redeemed = await measured(chain.redeemCall({ ...vault, minBacking: 10n, reference: freshReference() }));
    expectCovered('redemption of shares', redeemed, ({ redeem }) => redeem(1));
    const paid = await measured(chain.transferCall({ asset: 'eth-base/usdc', to, units: 1n }), treasuryKeyId);
    expectCovered('transfer', paid, ({ transfer }) => transfer);
  });

  it('cover the calls for certificates', async () => {
    const { chain } = anvil.subject;
    const [certificate, wallet] = [freshReference(), freshReference()];
    const mint = chain.certificates.mintCall(certificate, chain.walletAddress(wallet));
    expectCovered('mint of a certificate', await measured(mint), ({ mintCertificate }) => mintCertificate);
    const send = chain.certificates.sendCall({ reference: freshReference(), certificate, wallet, to });
    const sent = await measured(send);
    expect(sent).toMatchObject({ wallets: 1 });
    expectCovered('movement of a certificate', sent, ({ sendCertificate }) => sendCertificate);
  });

  it('are far above what a movement typically takes now, which is no less than it takes on a node', async () => {
    const { chain } = anvil.subject;
    const wallets = [freshReference()];
    const holder = chain.walletAddress(wallets[0] as Hex);
    await measured(chain.mintCall({ reference: freshReference(), asset: 'eth-base/brlv', to: holder, units: 10n }));
    const to: Hex = `0x${'5b'.repeat(20)}`;
    const send = chain.sendTokenCall({ reference: freshReference(), asset: 'eth-base/brlv', to, units: 9n, wallets });
    const took = await measured(send);
    expect(took).toMatchObject({ slots: 2, wallets: 1 });
    const now = took.work + took.slots * SLOT + WALLET;
    for (const chainNow of ['eth-mainnet', 'eth-base'] as const)
      expect(Number(typicalGasOn(chainNow))).toBeGreaterThanOrEqual(now);
    expect(Number(typicalGasOn('eth-base'))).toBeLessThan(now * 1.6);
    expect(typicalGasOn('eth-base')).toBeLessThan(gasLimitsOn('eth-base').send(1) / 3n);
    expect(Number(typicalGasOn('tempo'))).toBeGreaterThanOrEqual(
      takenOn('tempo', took) - STATE_GAS.tempo.firstTransaction,
    );
    expect(typicalGasOn('tempo')).toBeLessThan(gasLimitsOn('tempo').send(1));
  });

  it.each(CHAINS)('are all signed, and none is higher than what nodes accept on %s', (chain) => {
    const { most, send, redeem, mintShares } = gasLimitsOn(chain);
    // The signer refuses a movement out of more wallets.
    for (const gas of [send(20), redeem(20), mintShares]) expect(gas).toBeLessThan(most);
    expect(most).toBeLessThan(REFUSED[chain]);
  });

  it('cover the first transaction of a key on Tempo, which takes 271,000 without a call', () => {
    expect(gasLimitsOn('tempo').empty).toBeGreaterThan(271_000n);
  });
});
