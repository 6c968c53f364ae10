import { hash } from 'node:crypto';
import type { PixKey } from '@ponte/kernel';
import { parseCpf } from '@ponte/kernel';
import { inventPayer } from '../pix-charge/adapters/invented-payer';
import type { PayoutBooks } from '../payouts/simulated-payout-books';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { KeyDirectory } from './key-directory.port';
import type { Payee } from '../person/payee.domain';

/** Keys with special behaviour, for integration tests. */
export const MAGIC_KEYS = {
  /** Not registered. */
  unknown: 'unknown@pix.example',
  /** Every look-up returns a different owner, so a withdrawal to it is stopped before it is sent. */
  moving: 'moving@pix.example',
  /** The directory does not answer. */
  silent: 'silent@pix.example',
} as const;

/** Resolves every valid key. A CPF or CNPJ belongs to itself; any other key always has the same invented owner. */
export class SimulatedKeyDirectory implements KeyDirectory {
  private lookUps = 0;

  constructor(private readonly books: Pick<PayoutBooks, 'movesOf' | 'moveKey'>) {}

  async lookUp(key: PixKey): Promise<Payee | undefined> {
    if (key.value === MAGIC_KEYS.silent) throw new RailTimedOut('look-up-key');
    if (key.value === MAGIC_KEYS.unknown) return undefined;
    this.lookUps += 1;
    return this.ownerOf(key, key.value === MAGIC_KEYS.moving ? this.lookUps : this.books.movesOf(hashOf(key)));
  }

  /** The owner that the bank itself sees when it pays. */
  current(key: PixKey): Payee {
    return this.ownerOf(key, this.books.movesOf(hashOf(key)));
  }

  /** Makes the key belong to a different owner from now on. */
  move(key: PixKey): void {
    this.books.moveKey(hashOf(key));
  }

  private ownerOf(key: PixKey, moves: number): Payee {
    const own =
      (key.kind === 'cpf' || key.kind === 'cnpj') && moves === 0 ? key.value : cpfFrom(`${key.value} ${moves}`);
    const { legalName, bankCode, branchCode, accountNumber } = inventPayer(own, null);
    return { taxId: own, legalName, bankCode, branchCode, accountNumber };
  }
}

/** The books store keys only as hashes. */
const hashOf = (key: PixKey): string => hash('sha256', `key:${key.value}`, 'hex');

/** Derives a CPF from the text, always the same for the same text. */
function cpfFrom(text: string): string {
  const body = String(Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16) % 1_000_000_000).padStart(9, '0');
  for (let check = 0; check < 100; check += 1) {
    const cpf = parseCpf(`${body}${String(check).padStart(2, '0')}`);
    if (cpf !== undefined) return cpf;
  }
  // Only a body of one repeated digit has no valid check digits.
  return cpfFrom(`${text} again`);
}
