import type { LossPath } from '../house-loss/loss-path.domain';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One worked example of docs/ledger-examples.md, as written there. */
export interface LedgerExample {
  readonly title: string;
  /** The content of the example's JSON block. */
  readonly input: ExampleInput;
  /** Amounts of the example's table by `account asset`, without plus signs; empty if it posts nothing. */
  readonly posted: ReadonlyMap<string, string>;
}

/** Amounts have the form `asset amount`. */
export interface ExampleInput {
  readonly event: string;
  readonly credit?: string;
  readonly debit?: string;
  readonly hold?: string;
  readonly loss?: string;
  readonly amount?: string;
  readonly unallocated?: boolean;
  readonly setAside?: boolean;
  /** What a closing writes off. */
  readonly debits?: readonly string[];
  readonly between?: readonly [LossPath['from'], LossPath['to']];
  readonly from?: 'settlement' | 'external' | 'clearing';
  readonly receiver?: 'another' | 'same';
  readonly custody?: boolean;
  readonly held?: boolean;
  readonly spread?: string;
  readonly fee?: string;
  readonly tax?: string;
}

const documentOf = (name: string): string => readFileSync(join(__dirname, '../../../../docs', name), 'utf8');

/** The text of a document below a second-level heading, up to the next one. `name`: its path in docs. */
export function sectionOf(name: string, heading: string): string {
  const section = documentOf(name)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${name} has no section "${heading}"`);
  return section;
}

/** The rows of the first table in a text, without the separator line. */
export const tableOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|-'))
    .map((line) => line.slice(1, -1).split('|').map(plain));

/** Every example of docs/ledger-examples.md. Throws if one is incomplete. */
export const ledgerExamples = (): readonly LedgerExample[] =>
  documentOf('ledger-examples.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => exampleOf(text));

function exampleOf(text: string): LedgerExample {
  const title = text.slice(0, text.indexOf('\n'));
  const block = /```json\n([\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined) throw new Error(`"${title}" has no JSON block`);
  const [[, ...assets] = [], ...rows] = tableOf(text);
  if (rows.length === 0 && !text.includes('It posts nothing.')) throw new Error(`"${title}" has no postings`);
  const posted = new Map<string, string>();
  for (const [account, ...amounts] of rows) {
    amounts.forEach((amount, column) => {
      if (amount !== '') posted.set(`${account} ${assets[column]}`, amount);
    });
  }
  return { title, input: JSON.parse(block) as ExampleInput, posted };
}

/** A cell with an ASCII minus sign, without code marks and plus sign. */
const plain = (cell: string): string => cell.trim().replaceAll('`', '').replace('−', '-').replace(/^\+/, '');
