import type { Hex, ReferenceTaker } from '../../chain.port';
import type { Deployment } from '../deployment';
import { mintLogOf } from './mint-log';
import { MintSearch } from './mint-search';
import type { ChainNode } from './node';
import { firstFound } from './first-answer';

const searchesOfOneNode = (): Readonly<Record<ReferenceTaker, MintSearch>> => ({
  minter: new MintSearch(),
  custody: new MintSearch(),
  certificates: new MintSearch(),
});

/**
 * Searches the logs of several nodes for the transaction that took a reference. Nodes delete old logs, or index new
 * ones late, so each is asked until one finds it. What one of them has searched says nothing about another.
 */
export class MintSearches {
  private readonly searchers: readonly {
    readonly node: ChainNode;
    readonly searches: Readonly<Record<ReferenceTaker, MintSearch>>;
  }[];

  constructor(
    nodes: readonly ChainNode[],
    private readonly deployment: Deployment,
  ) {
    this.searchers = nodes.map((node) => ({ node, searches: searchesOfOneNode() }));
  }

  takenIn(by: ReferenceTaker, reference: Hex, since: number): Promise<Hex | null> {
    return firstFound(this.searchers, ({ node, searches }) =>
      searches[by].find(mintLogOf(node, this.deployment, by), reference, since),
    );
  }
}
