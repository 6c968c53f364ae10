import 'reflect-metadata';
import type { TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import { CHAINS } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { LocalChains } from '../chain/adapters/local-anvil/local-anvil';
import { askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import { served } from '../chain/adapters/open-chains';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { ViemChain } from '../chain/adapters/rpc/viem.chain.adapter';
import { policedSigner } from '../signer/adapters/policy/policed.signer.adapter';
import { LocalKeystore } from '../signer/adapters/local.keystore.adapter';
import { RpcProxy } from '../testing/rpc-proxy';
import { MovementsUnderTest } from '../testing/movements-under-test';
import type { Hex } from '../chain/chain.port';
import type { OpenChains } from '../chain/adapters/open-chains';

/** Longer than the test takes, so that only an operator raises fees. */
const NO_BLOCKS_MS = 3_600_000;
let folder: ReturnType<typeof temporaryFolder>;
let chains: LocalChains;
let proxy: RpcProxy;
let movements: MovementsUnderTest;
let url: string;

/**
 * A real node to which the rule of most nodes is added: a replacement must offer 10 % more in both fees. (anvil itself
 * accepts one more wei.)
 */
beforeEach(async () => {
  folder = temporaryFolder();
  const signer = await LocalKeystore.open({ file: `${folder.path}/keystore.json`, passphrase: 'correct horse' });
  const starting = LocalChains.start({
    folder: `${folder.path}/chains`,
    signer,
    operatorKeyIds: ['operator'],
    treasuryKeyId: 'treasury',
    chains: ['eth-base'],
    blockMs: null,
  });
  chains = await starting;
  const local = chains.of('eth-base');
  url = local.url;
  proxy = await RpcProxy.before(url);
  const evm = new ViemChain({
    deployment: local.deployment,
    urls: [proxy.url],
    pollingMs: 20,
    finality: { confirmations: 1 },
  });
  const { minter, custody, tokens } = local.deployment;
  const others = CHAINS.filter((chain) => chain !== 'eth-base').map((chain) => new SimulatedChain({ chain }));
  const all = [
    { evm, confirmations: 1, minter, custody, tokens },
    ...others.map((one) => ({ evm: one, confirmations: 1, ...one.deployment })),
  ];
  const open: OpenChains = {
    chains: served(all),
    signer: policedSigner(signer, {
      operatorKeyIds: ['operator'],
      deployments: [local.deployment, ...others.map(({ deployment }) => deployment)],
      limits: {},
      now: Date.now,
    }),
    forget: false,
    stop: async () => undefined,
  };
  movements = new MovementsUnderTest(folder.path, { open, raiseFeeMs: NO_BLOCKS_MS });
  proxy.rules = [enforcing()];
  await movements.start();
});

afterEach(async () => {
  await movements.stop();
  await proxy.stop();
  await chains.stop();
  folder.remove();
});

const taken = new Map<string, { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; hash: Hex }>();
/** The hashes of all bytes that were accepted. */
const accepted = new Set<Hex>();
/** Keeps bytes from the node, so that no block includes them. */
let holding = true;
let refused = 0;

function enforcing(): RpcProxy['rules'][number] {
  [holding, refused] = [true, 0];
  taken.clear();
  accepted.clear();
  return async ({ method, params }) => {
    if (method !== 'eth_sendRawTransaction') return undefined;
    const raw = params[0] as `0x02${string}`;
    const { nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw);
    const key = `${await recoverTransactionAddress({ serializedTransaction: raw })} ${nonce}`;
    const [before, hash] = [taken.get(key), keccak256(raw)];
    const enough =
      !before ||
      before.hash === hash ||
      (maxFeePerGas * 10n >= before.maxFeePerGas * 11n &&
        maxPriorityFeePerGas * 10n >= before.maxPriorityFeePerGas * 11n);
    // Bytes that were replaced may arrive again after the new ones. They are refused, but they replace nothing.
    if (!enough) {
      if (!accepted.has(hash)) refused += 1;
      return { error: { code: -32000, message: 'replacement transaction underpriced' } };
    }
    taken.set(key, { maxFeePerGas, maxPriorityFeePerGas, hash });
    accepted.add(hash);
    return holding ? { result: hash } : undefined;
  };
}

const bytes = () =>
  [...movements.ofType('TransactionSigned'), ...movements.ofType('TransactionFeeRaised')].map(
    ({ data }) => data as TransactionSigned['data'] | TransactionFeeRaised['data'],
  );

async function stuck(name: string): Promise<string> {
  await movements.mint(name);
  await eventually(() => expect(taken.size).toBe(1));
  return (movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data']).transactionId;
}

/** Mines blocks until the mint has completed. */
const completed = (name: string) =>
  eventually(async () => {
    await askNodeOne(url, 'evm_mine');
    const mint = await movements.mintOf(name);
    expect(mint.state).toBe('completed');
    return mint;
  });

it('an operator can raise the fees of a stuck transaction repeatedly: each replacement is accepted, and the mint ends once', async () => {
  const transaction = await stuck('stuck');
  await expect(movements.operate('chain raise-fee', { chain: 'eth-base', transaction })).resolves.toContain(
    'was sent with raised fees',
  );
  holding = false;
  await expect(movements.operate('chain raise-fee', { chain: 'eth-base', transaction })).resolves.toContain(
    'was sent with raised fees',
  );
  const { txHash } = await completed('stuck');
  expect(refused).toBe(0);
  expect(bytes()).toHaveLength(3);
  expect(new Set(bytes().map(({ nonce }) => nonce)).size).toBe(1);
  // Any of them may be mined: the one that the node got first when they were no longer held back.
  expect(bytes().map((one) => one.txHash)).toContain(txHash);
  await expect(movements.operate('chain raise-fee', { chain: 'eth-base', transaction })).rejects.toThrow(
    'does not wait to be mined',
  );
});

it('the first bytes complete a transaction with raised fees when a miner includes them after all', async () => {
  const transaction = await stuck('first');
  await movements.operate('chain raise-fee', { chain: 'eth-base', transaction });
  const [first, second] = bytes();
  await askNodeOne(url, 'eth_sendRawTransaction', first?.raw);
  const { txHash } = await completed('first');
  expect(txHash).toBe(first?.txHash);
  await expect(askNodeOne(url, 'eth_getTransactionReceipt', second?.txHash)).resolves.toBeNull();
});
