import type { Page, PageCursor } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { WalletReadModel, WalletRow } from '../wallet/wallets.read-model';

/** The supply of each token, and the sum that all wallets of the chain hold, in units of the token's contract. */
export type TokensOnChain = ReadonlyMap<AssetId, { readonly supply: bigint; readonly wallets: bigint }>;

/** Wallets per read of balances. */
const PAGE = 200;

/** Reads all tokens of a chain at one block. Rejects with `Unavailable` when no node has the state of the block. */
export async function tokensOnChain(
  { evm, tokens }: ServedChain,
  block: BlockId,
  wallets: Pick<WalletReadModel, 'table'>,
): Promise<TokensOnChain> {
  const totals = new Map((Object.keys(tokens) as AssetId[]).map((asset) => [asset, { supply: 0n, wallets: 0n }]));
  let cursor: PageCursor | null = null;
  do {
    const page: Page<WalletRow> = await wallets.table.page({
      where: { chain: evm.chain },
      page: { limit: PAGE, cursor, createdFrom: null, createdTo: null },
    });
    const holders = page.items.map(({ address }) => address as Hex);
    await Promise.all(
      [...totals].map(async ([asset, total]) => {
        const { supply, balances } = await evm.tokensAt(block, asset, holders);
        total.supply = supply;
        total.wallets += balances.reduce((sum, units) => sum + units, 0n);
      }),
    );
    cursor = page.next;
  } while (cursor !== null);
  return totals;
}
