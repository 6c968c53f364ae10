import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Money, derivedId } from '@ponte/kernel';
import Database from 'libsql';

type Value = string | number | null;

/** Entries per page of a list. */
export const PAGE = 1_000;

/**
 * The books of a simulated bank, in a file that survives our process as a real bank would, or in `:memory:`. `one` and
 * `all` take statements that return rows; `run` takes statements that do not.
 */
export function openBankFile(file: string, schema: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const db = new Database(file);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = NORMAL');
  db.exec(schema);
  const all = <T>(sql: string) => {
    const statement = db.prepare(sql);
    return (...values: Value[]): T[] => statement.all(...values) as T[];
  };
  let closed = false;
  return {
    db,
    all,
    one: <T>(sql: string) => {
      const rows = all<T>(sql);
      return (...values: Value[]): T | undefined => rows(...values)[0];
    },
    run: (sql: string) => {
      const statement = db.prepare(sql);
      return (...values: Value[]): void => void statement.run(...values);
    },
    /** Nest calls this once for each port that a bank provides. */
    close: (): void => {
      if (!closed) db.close();
      closed = true;
    },
  };
}

/** The sum of BRL amounts. */
export const totalOf = (rows: readonly { readonly amount: string }[]): Money =>
  rows.reduce((total, { amount }) => total.plus(Money.stored('fiat/brl', amount)), Money.zero('fiat/brl'));

/** The ISPB of the simulated bank. */
export const ISPB = '12345678';
const UNIQUE_LENGTH = 11;

/**
 * An id in the format of the Pix system: the kind (`E` for a payment, `D` for a return), the bank (ISPB), the minute,
 * and eleven characters derived from the seed.
 */
export function pixIdOf(kind: 'E' | 'D', ispb: string, at: string, ...seed: readonly string[]): string {
  const unique = BigInt(`0x${derivedId(...seed).replaceAll('-', '')}`)
    .toString(36)
    .slice(-UNIQUE_LENGTH)
    .padStart(UNIQUE_LENGTH, '0');
  return `${kind}${ispb}${at.slice(0, 16).replace(/\D/g, '')}${unique}`;
}

export const damaged = (): never => {
  throw new Error('the books of the simulated bank are damaged');
};
