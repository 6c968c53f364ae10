import { CHAINS } from '@ponte/kernel';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalChains } from '../../../../movements/src/chain/adapters/local-anvil/local-anvil';
import { askNode, askNodeOne } from '../../../../movements/src/chain/adapters/local-anvil/json-rpc';
import type { OpenChains } from '../../../../movements/src/chain/adapters/open-chains';
import { served } from '../../../../movements/src/chain/adapters/open-chains';
import { ViemChain } from '../../../../movements/src/chain/adapters/rpc/viem.chain.adapter';
import { LocalKeystore } from '../../../../movements/src/signer/adapters/local.keystore.adapter';
import { policedSigner } from '../../../../movements/src/signer/adapters/policy/policed.signer.adapter';
import { RpcProxy } from '../../../../movements/src/testing/rpc-proxy';
import type { Hex } from '../../../../movements/src/chain/chain.port';
import { operatorKeyIds } from '../../../../movements/src/movements-settings.port';
import { Dice } from '../../chaos/testing/dice';

/** A transfer completes long before it is final, so that a reorg can undo a completed transfer. */
const CONFIRMATIONS = 2;
const FINALITY = 40;
/** The most blocks that a reorg replaces: fewer than finality, as on a working chain. */
const DEEPEST = 30;
const BLOCK_MS = 150;
/** Blocks between two disturbances of each kind. After an expensive block the base fee falls by an eighth per block. */
const EVERY = { reorg: 25, expensive: 80, drop: 5 };
/** One in this many transactions is answered as accepted but never reaches the pool. */
const SWALLOWED = 12;
/** 20 gwei in wei. No transaction sent in a quiet period offers as much. */
const EXPENSIVE = `0x${(20n * 10n ** 9n).toString(16)}`;
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

type Pool = Readonly<Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, { hash: Hex }>>>>>>;

/**
 * Anvil behind a proxy that discards some transactions. During a storm the chain is also reorganized, loses
 * transactions from its pool, and has blocks that are too expensive for waiting transactions.
 */
export class StormyChain {
  readonly done = { reorgs: 0, deepest: 0, swallowed: 0, dropped: 0, expensive: 0 };
  private readonly dice = new Dice(16);
  private ending: AbortController | undefined;
  private acting: Promise<void> | undefined;

  private constructor(
    private readonly chains: LocalChains,
    private readonly proxy: RpcProxy,
    private readonly url: string,
    private readonly token: Hex,
    readonly evm: ViemChain,
    readonly open: OpenChains,
  ) {}

  static async start(folder: string, operatorKeys: number): Promise<StormyChain> {
    const keys = await LocalKeystore.open({ file: `${folder}/keystore.json`, passphrase: 'correct horse' });
    const operators = operatorKeyIds(operatorKeys);
    const chains = await LocalChains.start({
      folder: `${folder}/chains`,
      signer: keys,
      operatorKeyIds: operators,
      treasuryKeyId: 'treasury',
      blockMs: 50,
      confirmations: FINALITY,
    });
    const { deployment, url } = chains.of('eth-base');
    const token = deployment.tokens['eth-base/brlv'];
    if (token === undefined) throw new Error('the local chain has no BRLV');
    const proxy = await RpcProxy.before(url);
    const evm = new ViemChain({
      deployment,
      urls: [proxy.url],
      pollingMs: 50,
      timeoutMs: 30_000,
      finality: { confirmations: FINALITY },
    });
    const all = CHAINS.map((chain) => {
      const local = chains.of(chain);
      const { minter, custody, tokens } = local.deployment;
      return { evm: chain === 'eth-base' ? evm : local.chain, confirmations: CONFIRMATIONS, minter, custody, tokens };
    });
    const signer = policedSigner(keys, {
      operatorKeyIds: operators,
      deployments: [deployment],
      limits: {},
      now: Date.now,
    });
    const open: OpenChains = { chains: served(all), signer, forget: false, stop: async () => undefined };
    const stormy = new StormyChain(chains, proxy, url, token, evm, open);
    // Buries the deployment of the contracts deeper than any reorg.
    await stormy.mine(FINALITY);
    return stormy;
  }

  async stop(): Promise<void> {
    await this.calm();
    await this.proxy.stop();
    await this.chains.stop();
  }

  mine(blocks = FINALITY): Promise<unknown> {
    return askNode(
      this.url,
      Array.from({ length: blocks }, () => ({ method: 'evm_mine' })),
    );
  }

  /** Starts the disturbances, which last until {@link calm}. */
  storm(): void {
    this.proxy.rules = [
      ({ method }) => {
        if (method !== 'eth_sendRawTransaction' || this.dice.below(SWALLOWED) !== 0) return undefined;
        this.done.swallowed += 1;
        return { result: `0x${'0'.repeat(64)}` };
      },
    ];
    this.ending = new AbortController();
    this.acting = this.act(this.ending.signal);
  }

  async calm(): Promise<void> {
    this.ending?.abort();
    await this.acting;
    this.proxy.rules = [];
  }

  /** The number of BRLV transfers from the wallet on the chain. */
  async transfersFrom(wallet: string): Promise<number> {
    const topics = [TRANSFER_TOPIC, `0x${wallet.slice(2).padStart(64, '0')}`];
    const filter = { address: this.token, topics, fromBlock: '0x0', toBlock: 'latest' };
    return ((await askNodeOne(this.url, 'eth_getLogs', filter)) as readonly unknown[]).length;
  }

  private async act(end: AbortSignal): Promise<void> {
    for (let block = 1; !end.aborted; block += 1) {
      if (block % EVERY.reorg === 0) {
        const depth = 1 + this.dice.below(DEEPEST);
        await askNodeOne(this.url, 'anvil_reorg', depth, []);
        this.done.reorgs += 1;
        this.done.deepest = Math.max(this.done.deepest, depth);
      }
      if (block % EVERY.expensive === 0) {
        await askNodeOne(this.url, 'anvil_setNextBlockBaseFeePerGas', EXPENSIVE);
        this.done.expensive += 1;
      }
      if (block % EVERY.drop === 0) await this.drop();
      await this.mine(1);
      await sleep(BLOCK_MS);
    }
  }

  /** Drops one waiting transaction from the pool. */
  private async drop(): Promise<void> {
    const { pending, queued } = (await askNodeOne(this.url, 'txpool_content')) as Pool;
    const waiting = [pending, queued].flatMap((part) => Object.values(part).flatMap((one) => Object.values(one)));
    const chosen = waiting[this.dice.below(Math.max(1, waiting.length))];
    if (chosen === undefined) return;
    await askNodeOne(this.url, 'anvil_dropTransaction', chosen.hash);
    this.done.dropped += 1;
  }
}
