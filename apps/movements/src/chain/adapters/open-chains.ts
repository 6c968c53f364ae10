import { join } from 'node:path';
import type { AssetId } from '@ponte/kernel';
import { CHAINS, assetOf } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { saltOf, treasuryWalletId } from '../../wallet/wallet.decider';
import type { ChainsSettings, FormerKeysSettings, KeystoreSettings, RpcSettings } from '../chains-settings.port';
import type { ServedChain, ServedChains } from '../served-chains.port';
import type { Keystore, Signer } from '../../signer/signer.port';
import type { SignerLimits } from '../../signer-policy/signing-policy';
import { policedSigner } from '../../signer/adapters/policy/policed.signer.adapter';
import { openKeystores } from '../../signer/adapters/open-keystores';
import { formerKeyIds } from '../../movements-settings.port';
import { SimulatedSigner } from '../../signer/adapters/simulated.keystore.adapter';
import { NodeAnswers } from './broadcast/node-answers';
import { FINALITY, POLLING_MS } from './chain-properties';
import { type CheckAtStart, checkAtStart } from './check-at-start';
import type { Deployment } from './deployment';
import { parseDeployment } from './deployment';
import { LocalChains } from './local-anvil/local-anvil';
import { unmetRequirements } from './nodes/node-requirements';
import { SimulatedChain } from './simulated/simulated.chain.adapter';
import { ViemChain } from './rpc/viem.chain.adapter';

interface OpenChainsOptions {
  readonly which: ChainsSettings;
  /** The data folder, whose lock the caller holds. */
  readonly folder: string;
  readonly keystore: KeystoreSettings;
  /** The keys that sign only what names them. */
  readonly formerKeys?: readonly FormerKeysSettings[];
  /** All keys that the contracts may accept as operators. */
  readonly operatorKeyIds: readonly string[];
  /** The operator keys in use. In KMS they must exist. */
  readonly usedKeyIds?: readonly string[];
  readonly limits?: SignerLimits;
  /** In production a missing keystore is an error. In a sandbox it is created. */
  readonly environment: 'sandbox' | 'production';
  /** If set, what each node answers to signed bytes is counted and logged. */
  readonly observing?: Observing;
  /** Interval between checks of a chain whose nodes did not answer at the start, ms. */
  readonly checkAgainMs?: number;
}

interface Observing {
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Chains and keys. They are opened together because a local chain's contracts name the keys that may mint. */
export interface OpenChains {
  readonly chains: ServedChains;
  readonly signer: Signer;
  /** Whether the chains may lose transactions that they had accepted. */
  readonly forget: boolean;
  stop(): Promise<void>;
}

/** On a local chain, this key holds the initial supply of the tokens that other companies issue. */
const TREASURY_KEY_ID = 'treasury';
/** Confirmations on a chain that never reorganizes. */
const LOCAL_CONFIRMATIONS = 1;
const CHECK_AGAIN_MS = 5_000;

/**
 * Opens the chains and the signer. The signer signs only what the deployments and limits allow. Rejects if a node, a
 * contract or the keystore is not as configured. A chain of which no node answers is unavailable until one does.
 */
export async function openChains({
  which,
  folder,
  keystore,
  formerKeys = [],
  operatorKeyIds,
  usedKeyIds = [],
  limits = {},
  environment,
  observing,
  checkAgainMs = CHECK_AGAIN_MS,
}: OpenChainsOptions): Promise<OpenChains> {
  const policed = (keys: Keystore, all: readonly Deployed[]): Signer =>
    policedSigner(keys, {
      operatorKeyIds: [...operatorKeyIds, ...formerKeyIds(formerKeys)],
      limits,
      deployments: all.map(({ deployment }) => deployment),
      now: Date.now,
    });
  if (which.kind === 'simulated') return simulated(policed);
  const signer = openKeystores({ keystore, formerKeys, usedKeyIds, folder, environment });
  // A rejection is reported at the `await` below. Until then, this handler keeps it from ending the process.
  signer.catch(() => undefined);
  switch (which.kind) {
    case 'local': {
      // The nodes start while the keystore opens.
      const local = await LocalChains.start({
        folder: join(folder, 'chains'),
        signer,
        operatorKeyIds,
        treasuryKeyId: TREASURY_KEY_ID,
        blockMs: which.blockMs,
        confirmations: which.finalAfter ?? LOCAL_CONFIRMATIONS,
      });
      const all = CHAINS.map((chain): Deployed => {
        const { chain: evm, url, deployment } = local.of(chain);
        return { deployment, served: { evm, confirmations: LOCAL_CONFIRMATIONS, url, ...contractsOf(deployment) } };
      });
      return {
        chains: served(all.map((one) => one.served)),
        signer: policed(await signer, all),
        forget: true,
        stop: () => local.stop(),
      };
    }
    case 'rpc': {
      const stopping = new AbortController();
      const checking = { signal: stopping.signal, everyMs: checkAgainMs, ...observing };
      const all = await Promise.all(which.chains.map((one) => remote(one, which, checking, observing)));
      return {
        chains: served(all.map((one) => one.served)),
        signer: policed(await signer, all),
        forget: which.forget,
        stop: async () => stopping.abort(),
      };
    }
  }
}

interface Deployed {
  readonly deployment: Deployment;
  readonly served: ServedChain;
}

/** Rejects when a node serves another chain or a contract is not ours: then the process does not start. */
async function remote(
  { chain, urls, deployment: json, confirmations }: RpcSettings,
  { outsider = false, finalAfter = LOCAL_CONFIRMATIONS }: { readonly outsider?: boolean; readonly finalAfter?: number },
  checking: Omit<CheckAtStart, 'unmet'>,
  observing: Observing | undefined,
): Promise<Deployed> {
  const deployment = parseDeployment(chain, json);
  // anvil finalizes a block after 64 more, but a sandbox's anvil mines only while transactions are pending.
  const finality = outsider ? { confirmations: finalAfter } : (FINALITY[chain] ?? 'finalized-tag');
  const answers = observing && new NodeAnswers({ chain, nodes: urls.length, ...observing });
  const pollingMs = outsider ? undefined : POLLING_MS[chain];
  const evm = new ViemChain({ deployment, urls, pollingMs, finality, answers, checksFirst: true });
  await checkAtStart(evm, { ...checking, unmet: () => unmetRequirements(evm.nodes, deployment) });
  // The local chains of a sandbox mine only while transactions are pending.
  if (observing && !outsider) evm.reads.measure(chain, observing.metrics);
  const sandbox = outsider && urls[0] !== undefined ? { outsiderUrl: urls[0] } : {};
  return { deployment, served: { evm, confirmations, ...sandbox, ...contractsOf(deployment) } };
}

function simulated(policed: (keys: Keystore, all: readonly Deployed[]) => Signer): OpenChains {
  const all = CHAINS.map((chain): Deployed => {
    const evm = new SimulatedChain({ chain });
    fillTreasury(evm);
    return {
      deployment: evm.deployment,
      served: { evm, confirmations: LOCAL_CONFIRMATIONS, ...contractsOf(evm.deployment) },
    };
  });
  return {
    chains: served(all.map((one) => one.served)),
    signer: policed(new SimulatedSigner(), all),
    forget: true,
    stop: async () => undefined,
  };
}

/** The treasury's initial balance of each dollar token on a simulated chain, in whole tokens. */
const TREASURY_TOKENS = 100_000_000n;

function fillTreasury(evm: SimulatedChain): void {
  const treasury = evm.walletAddress(saltOf(treasuryWalletId(evm.chain)));
  for (const asset of Object.keys(evm.deployment.tokens) as AssetId[]) {
    const { symbol, onChainDecimals = 0 } = assetOf(asset);
    if (symbol === 'USDC' || symbol === 'USDT')
      evm.fund(asset, treasury, TREASURY_TOKENS * 10n ** BigInt(onChainDecimals));
  }
}

const contractsOf = ({ minter, custody, tokens }: Deployment): Pick<ServedChain, 'minter' | 'custody' | 'tokens'> => ({
  minter,
  custody,
  tokens,
});

/** Looks chains up by their name. */
export function served(all: readonly ServedChain[]): ServedChains {
  const byName = new Map(all.map((one) => [one.evm.chain, one]));
  return {
    all,
    of(chain) {
      const one = byName.get(chain);
      if (one === undefined) throw new Error(`${chain} is not served here`);
      return one;
    },
  };
}
