import type { EvmChain, Hex } from '../chain/chain.port';
import type { UnfinalTransaction, UnfinalTransactions } from './unfinal-transactions.read-model';

interface WatchedTransactionsParts {
  readonly evm: Pick<EvmChain, 'chain'>;
  readonly unfinal: Pick<UnfinalTransactions, 'bySender' | 'pages'>;
  /** Whether transactions of the sender are watched here. */
  readonly isResponsibleFor: (sender: Hex) => Promise<boolean>;
}

/** The transactions that one watch checks until they are final, and what it has found out about them. */
export class WatchedTransactions {
  /** How many rounds in a row have found a displaced transaction in no block. */
  private readonly missing = new Map<string, number>();
  /** The hashes under which displaced transactions are mined now: any of the signed bytes may be. */
  private readonly minedAs = new Map<string, Hex>();
  /** Those that are final, and still in the read model. */
  private readonly final = new Set<string>();
  /** In how many rounds in a row a final block lacked those that a node has: until this round, and including it. */
  private contradicted = { before: new Map<string, number>(), now: new Map<string, number>() };
  /** The contradicted ones that have been reported. */
  private readonly reported = new Set<string>();
  /** Those that the read model has had in this round, with the hashes of their blocks. */
  private read = new Map<string, string>();

  constructor(private readonly parts: WatchedTransactionsParts) {}

  /** How much is remembered. */
  get remembered(): number {
    const { before, now } = this.contradicted;
    return [this.missing, this.minedAs, this.final, this.reported, before, now].reduce(
      (sum, { size }) => sum + size,
      0,
    );
  }

  begin(): void {
    this.read = new Map();
    this.contradicted = { before: this.contradicted.now, now: new Map() };
  }

  /**
   * Forgets what the read model has no more. To be called when the round has read every page. Returns the hashes of the
   * blocks of the others.
   */
  keepRead(): ReadonlySet<string> {
    for (const known of [this.missing, this.minedAs, this.final, this.reported])
      for (const id of known.keys()) if (!this.read.has(id)) known.delete(id);
    return new Set(this.read.values());
  }

  /** The keys that have transactions here. */
  async senders(): Promise<Hex[]> {
    const { evm, unfinal, isResponsibleFor } = this.parts;
    const ours: Hex[] = [];
    for (const { chain, sender } of await unfinal.bySender())
      if (chain === evm.chain && (await isResponsibleFor(sender as Hex))) ours.push(sender as Hex);
    return ours;
  }

  /** The transactions of a key that are not known to be final, in nonce order, in pages that are not empty. */
  async *pages(sender: Hex, size: number): AsyncGenerator<readonly UnfinalTransaction[]> {
    for await (const page of this.parts.unfinal.pages(this.parts.evm.chain, sender, size)) {
      for (const { id, blockHash } of page) this.read.set(id, blockHash);
      const rows = page.filter(({ id }) => !this.final.has(id));
      if (rows.length > 0) yield rows;
    }
  }

  /** The hash under which it is mined, as far as is known. */
  hashOf = ({ id, txHash }: UnfinalTransaction): Hex => this.minedAs.get(id) ?? txHash;

  noteFinal({ id }: UnfinalTransaction): void {
    this.final.add(id);
  }

  /** It is in the block in which it was confirmed. */
  noteCanonical({ id }: UnfinalTransaction): void {
    this.missing.delete(id);
    this.minedAs.delete(id);
  }

  noteMinedAs({ id }: UnfinalTransaction, hash: Hex): void {
    this.missing.delete(id);
    this.minedAs.set(id, hash);
  }

  /** It is in no block. Returns how many rounds in a row have found that. */
  countMissing({ id }: UnfinalTransaction): number {
    this.minedAs.delete(id);
    const rounds = (this.missing.get(id) ?? 0) + 1;
    this.missing.set(id, rounds);
    return rounds;
  }

  /** Whether it is known to be mined under one of its hashes, though not in the block in which it was confirmed. */
  wasMined = ({ id }: UnfinalTransaction): boolean => this.minedAs.has(id);

  /** Notes that a final block lacks it although a node has it. Returns in how many rounds in a row that was found. */
  countContradiction({ id }: UnfinalTransaction): number {
    const rounds = (this.contradicted.before.get(id) ?? 0) + 1;
    this.contradicted.now.set(id, rounds);
    return rounds;
  }

  /** Whether the contradiction has not been reported before. */
  isFirstReport({ id }: UnfinalTransaction): boolean {
    const isFirst = !this.reported.has(id);
    this.reported.add(id);
    return isFirst;
  }

  forget(): void {
    this.reported.clear();
    this.missing.clear();
    this.minedAs.clear();
    this.final.clear();
  }
}
