import { CreateWallet } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { sql } from 'kysely';
import type { EvmChain, Hex } from '../chain/chain.port';
import type { LogNode } from '../transfer-logs/transfer-logs.port';
import { saltOf } from '../wallet/wallet.decider';
import type { MovementsUnderTest } from './movements-under-test';

export const CHAIN = 'eth-base';
/** More blocks than the scan reads again with the next ones. */
export const BEYOND_THE_OVERLAP = 100;
export const EARLY_OWNER = derivedId('account', 'early');

const earlyWalletId = (name: string): string => derivedId('wallet', 'early', name);

/** The address of a wallet that need not exist yet. */
export const addressBefore = (evm: Pick<EvmChain, 'walletAddress'>, name: string): Hex =>
  evm.walletAddress(saltOf(earlyWalletId(name)));

export const createWallet = (movements: MovementsUnderTest, name: string) =>
  movements.bus.request(
    CreateWallet,
    { accountId: EARLY_OWNER, walletId: earlyWalletId(name), name, chain: CHAIN, metadata: {}, uiEnabled: true },
    movements.context(),
  );

/** How many wallets of the chain are in that state of their check. */
export async function checksIn(movements: MovementsUnderTest, state: 'new' | 'searching' | 'done'): Promise<number> {
  const found = await sql<{ n: number }>`
    SELECT count(*) AS n FROM early_deposit_checks WHERE chain = ${CHAIN} AND state = ${state}`.execute(
    movements.readModels,
  );
  return Number(found.rows[0]?.n);
}

/** The last final block that the scan of the chain has read. */
export async function scannedTo(movements: MovementsUnderTest): Promise<number> {
  const found = await sql<{ n: number }>`SELECT block_number AS n FROM deposit_cursors WHERE chain = ${CHAIN}`.execute(
    movements.readModels,
  );
  return Number(found.rows[0]?.n ?? -1);
}

/** The chain with another node in front of its own. */
export function behindNode(chain: EvmChain, changes: (node: LogNode) => Partial<LogNode>): EvmChain {
  const [node] = chain.logNodes as unknown as [LogNode];
  const changed = Object.assign(Object.create(node) as LogNode, changes(node));
  return Object.assign(Object.create(chain) as EvmChain, { logNodes: [changed] });
}
