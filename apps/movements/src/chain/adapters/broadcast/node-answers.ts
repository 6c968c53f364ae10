import type { Chain } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { keccak256 } from 'viem';
import type { Broadcast, Hex } from '../../chain.port';

interface Parts {
  readonly chain: Chain;
  /** How many nodes the chain has. */
  readonly nodes: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Counts and logs what each node of a chain answers to signed bytes. Nodes have the numbers of their places in
 * `CHAIN_RPC_<CHAIN>`, from 1: their URLs may contain keys of providers.
 */
export class NodeAnswers {
  /** The nodes that gave no clear answer the last time. */
  private readonly silent = new Set<number>();

  constructor(private readonly parts: Parts) {
    for (let node = 1; node <= parts.nodes; node += 1) this.counter(node, 'taken');
  }

  /**
   * Logs each refusal, but only the first of several missing answers in a row: a node that is down gives one for each
   * transaction. The answer of an only node is the result of the broadcast, which the sender logs.
   */
  note(node: number, answer: Broadcast, raw: Hex): void {
    const { chain, nodes, logger } = this.parts;
    this.counter(node, answer.outcome === 'refused' ? answer.reason : answer.outcome).inc();
    const wasSilent = this.silent.delete(node);
    if (answer.outcome === 'unknown') this.silent.add(node);
    if (nodes === 1 || answer.outcome === 'taken') return;
    const about = { chain, node, ...answer, txHash: keccak256(raw) };
    if (answer.outcome === 'refused') logger.warn(about, 'one of the nodes refuses signed bytes');
    else if (!wasSilent) logger.warn(about, 'one of the nodes gives no clear answer to signed bytes');
  }

  private counter(node: number, outcome: string) {
    return this.parts.metrics.counter('ponte_node_broadcasts_total', {
      chain: this.parts.chain,
      node: String(node),
      outcome,
    });
  }
}
