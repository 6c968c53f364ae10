import type { Chain } from '@ponte/kernel';

/** Gas that a chain charges for new state, besides the work of a call. */
interface StateGas {
  /** A storage slot that held zero and gets a value. */
  readonly slot: bigint;
  /** The deployment of a wallet: an account with the 45 bytes of code of an EIP-1167 proxy. */
  readonly wallet: bigint;
  /** The first transaction of an address. */
  readonly firstTransaction: bigint;
}

/**
 * Ethereum from its upgrade Glamsterdam on: EIP-8037 charges 1,530 for each byte of state (64 for a slot, 120 for an
 * account, and its code), EIP-8038 up to 12,100 for a write to a slot. Before it, a slot takes 22,100 and a wallet
 * 41,000. Base adopts Ethereum's upgrades.
 */
const ETHEREUM: StateGas = {
  slot: 64n * 1_530n + 12_100n,
  wallet: (120n + 45n) * 1_530n + 30_000n,
  firstTransaction: 0n,
};

/** What Ethereum and Base charge until Glamsterdam. With its activation there, typical movements take `ETHEREUM`. */
const BEFORE_GLAMSTERDAM: StateGas = { slot: 22_100n, wallet: 41_000n, firstTransaction: 0n };

/**
 * Tempo, TIP-1000: 250,000 for a slot (and 2,200 to reach it), 500,000 for a contract, 250,000 for its account, and
 * 250,000 for the first transaction of an address. A byte of code takes 1,000, and 2,500 if TIP-1016 is adopted.
 */
const TEMPO: StateGas = {
  slot: 252_200n,
  wallet: 500_000n + 250_000n + 45n * 2_500n,
  firstTransaction: 250_000n,
};

/** A call of our contracts. */
interface Work {
  /** Gas besides new state: about 1.6 times what our contracts take, because other companies' tokens take more. */
  readonly gas: bigint;
  /** The slots that it fills at most. */
  readonly slots: bigint;
}

/** The reference, the holder's balance and the supply. */
const MINT: Work = { gas: 80_000n, slots: 3n };
/** A mint to the minter, its allowance and the vault's balance, then the shares of the holder and their supply. */
const MINT_SHARES: Work = { gas: 140_000n, slots: 8n };
/** The receiver's balance. */
const TRANSFER: Work = { gas: 80_000n, slots: 1n };
/** The reference and the receiver's balance. */
const SEND: Work = { gas: 60_000n, slots: 2n };
/** The reference, and custody's balances of the shares and of the asset. */
const REDEEM: Work = { gas: 120_000n, slots: 3n };
/** What each wallet of a movement takes besides its deployment. */
const WORK_PER_WALLET = 60_000n;
/** The reference, the owner and the balance. */
const MINT_CERTIFICATE: Work = { gas: 80_000n, slots: 3n };
/** The reference and the receiver's balance. Also limits how much of our gas a receiving contract can spend. */
const SEND_CERTIFICATE: Work = { gas: 200_000n, slots: 2n };
/** A transaction without a call. */
const EMPTY: Work = { gas: 40_000n, slots: 0n };

/** The gas limits of our transactions on one chain. */
export interface GasLimits {
  readonly mint: bigint;
  readonly mintShares: bigint;
  readonly transfer: bigint;
  /** A movement of tokens out of the given number of wallets, each of which may have to be deployed. */
  send(wallets: number): bigint;
  /** A redemption of what so many wallets hold. */
  redeem(wallets: number): bigint;
  readonly mintCertificate: bigint;
  readonly sendCertificate: bigint;
  /** A transaction that only uses its nonce. */
  readonly empty: bigint;
  /**
   * The most that is signed for one transaction: a redemption out of 20 wallets. Nodes refuse more than 16,777,216 on
   * Ethereum and Base (EIP-7825), and more than 30,000,000 on Tempo (TIP-1010).
   */
  readonly most: bigint;
}

/**
 * A quarter more than the most expensive case: the first transaction of its key, all slots new, no wallet deployed. The
 * limits are fixed, because an estimate made before the sender's earlier transactions are mined is wrong or fails. A
 * limit that is too high costs nothing, but its key must hold the coins for it; with one that is too low, every call
 * fails and is paid for.
 */
function limitsOf({ slot, wallet, firstTransaction }: StateGas): Omit<GasLimits, 'most'> {
  const limit = ({ gas, slots }: Work, wallets = 0): bigint => {
    const perWallet = WORK_PER_WALLET + wallet;
    return ((firstTransaction + gas + slots * slot + perWallet * BigInt(wallets)) * 5n) / 4n;
  };
  return {
    mint: limit(MINT),
    mintShares: limit(MINT_SHARES),
    transfer: limit(TRANSFER),
    send: (wallets) => limit(SEND, wallets),
    redeem: (wallets) => limit(REDEEM, wallets),
    mintCertificate: limit(MINT_CERTIFICATE),
    sendCertificate: limit(SEND_CERTIFICATE, 1),
    empty: limit(EMPTY),
  };
}

const ON_ETHEREUM: GasLimits = { ...limitsOf(ETHEREUM), most: 12_000_000n };

const LIMITS: Readonly<Record<Chain, GasLimits>> = {
  'eth-mainnet': ON_ETHEREUM,
  'eth-base': ON_ETHEREUM,
  tempo: { ...limitsOf(TEMPO), most: 25_000_000n },
};

export const gasLimitsOn = (chain: Chain): GasLimits => LIMITS[chain];

/**
 * What a movement out of one wallet typically takes: at the prices that the chain charges now, with a wallet that has
 * to be deployed and only new slots. The margin is that of {@link Work}, and that most wallets are deployed already.
 */
const typicalOf = ({ slot, wallet }: StateGas): bigint => SEND.gas + SEND.slots * slot + WORK_PER_WALLET + wallet;

const TYPICAL: Readonly<Record<Chain, bigint>> = {
  'eth-mainnet': typicalOf(BEFORE_GLAMSTERDAM),
  'eth-base': typicalOf(BEFORE_GLAMSTERDAM),
  tempo: typicalOf(TEMPO),
};

export const typicalGasOn = (chain: Chain): bigint => TYPICAL[chain];
