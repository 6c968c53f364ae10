import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Ponte } from '@ponte/sdk';
import { startChild } from './processes/child';
import type { ClusterReady } from './processes/cluster-child';
import type { Row } from './report';

/** The number of transfer logs in the block. */
const LOGS = 1_000;
const GAS = '0x186a0';
/** Ten times the gas limit of all transfers together. */
const BLOCK_GAS = '0x3b9aca00';
const POLL_MS = 10;
const DECIMALS = 6;

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Measures deposits credited per second from one block of 1,000 transfers to one wallet, from mining the block until
 * the balance includes all of them. Uses one process and a real anvil; the transfers are sent beforehand.
 */
export async function benchDeposits(cluster: string): Promise<Row[]> {
  const child = await startChild<ClusterReady>(cluster, { MOVEMENTS_CHAINS: 'local' });
  try {
    const { sandbox, dataDirectory } = child.ready;
    const ponte = new Ponte({ baseUrl: sandbox['base-url'], apiKey: sandbox['api-key'] });
    const account = sandbox['subaccount-id'];
    const one = () =>
      ponte.simulateDeposit({ 'account-id': account, type: 'token', asset: 'eth-base/usdc', amount: '1' });
    const until = async (whole: number): Promise<void> => {
      for (;;) {
        const { balance } = await ponte.getBalance(account, 'usdc');
        if (Number(balance['running-balance']) >= whole) return;
        await pause(POLL_MS);
      }
    };
    // This funds the outside wallet with tokens and executes every code path once.
    const { deposit } = await one();
    await until(1);
    await fillPool(dataDirectory, deposit['source-address'] ?? '', sandbox['wallet-address']);
    const began = performance.now();
    await chain(dataDirectory, [{ method: 'evm_mine', params: [] }]);
    await one();
    await until(LOGS + 2);
    const value = LOGS / ((performance.now() - began) / 1_000);
    return [{ name: 'deposits credited/s, one block of 1,000 logs', value }];
  } finally {
    await child.stop();
  }
}

/**
 * Queues transfers of one token each for the next block. The first nonce is sent last, so that no earlier block can
 * include some of them.
 */
async function fillPool(dataDirectory: string, from: string, to: string): Promise<void> {
  const { tokens } = JSON.parse(readFileSync(join(dataDirectory, 'chains/eth-base/contracts.json'), 'utf8')) as {
    tokens: Record<string, string>;
  };
  const data = `0xa9059cbb${to.slice(2).padStart(64, '0')}${(10 ** DECIMALS).toString(16).padStart(64, '0')}`;
  const [count] = await chain(dataDirectory, [
    { method: 'eth_getTransactionCount', params: [from, 'latest'] },
    { method: 'evm_setBlockGasLimit', params: [BLOCK_GAS] },
  ]);
  const nonces = Array.from({ length: LOGS }, (_, at) => Number(count) + ((at + 1) % LOGS));
  await chain(
    dataDirectory,
    nonces.map((nonce) => ({
      method: 'eth_sendTransaction',
      params: [{ from, to: tokens['eth-base/usdc'], data, gas: GAS, nonce: `0x${nonce.toString(16)}` }],
    })),
  );
}

async function chain(dataDirectory: string, calls: readonly Call[]): Promise<unknown[]> {
  const { port } = JSON.parse(readFileSync(join(dataDirectory, 'chains/eth-base/process.json'), 'utf8')) as {
    port: number;
  };
  const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[];
  return calls.map(({ method }, id) => {
    const answer = answers.find((found) => found.id === id);
    if (!answer || answer.error) throw new Error(`${method}: ${answer?.error?.message ?? 'no response'}`);
    return answer.result;
  });
}
