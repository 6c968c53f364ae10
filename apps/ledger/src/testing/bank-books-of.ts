import { join } from 'node:path';
import type { BankBooks } from '../pix-charge/adapters/bank-books';
import { openBankBooks } from '../pix-charge/adapters/bank-books';

/** Changes the books of the simulated bank directly, for contradictions that the bank itself would refuse. */
export function inBankBooks(ledger: { readonly folder: string }, change: (books: BankBooks) => void): void {
  const books = openBankBooks(join(ledger.folder, 'pix-bank.db'));
  try {
    change(books);
  } finally {
    books.close();
  }
}
