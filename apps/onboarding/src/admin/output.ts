import type { Print } from './cli';
import type { StaffAccountsPage } from './operations';

/** One thing: `name: value` a line, or its JSON with the member names of the API. */
export function show(print: Print, thing: object, json = false): void {
  if (json) return print(JSON.stringify(kebab(thing), null, 2));
  const members = Object.entries(kebab(thing)).filter(([, value]) => value !== null);
  const width = Math.max(...members.map(([name]) => name.length));
  for (const [name, value] of members) print(`${name.padEnd(width)}  ${textOf(value)}`);
}

export function showList(print: Print, { accounts, next }: StaffAccountsPage, json = false): void {
  if (json) return print(JSON.stringify({ accounts: accounts.map(kebab), 'next-cursor': next }, null, 2));
  if (accounts.length === 0) print('no accounts');
  for (const { accountId, status, parentId, alias } of accounts)
    print(`${accountId}  ${status.padEnd(6)}  ${parentId === null ? 'partner    ' : 'sub-account'}  ${alias}`);
  if (next !== null) print(`more: --cursor ${next}`);
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') || 'none' : String(value));

/** Only of our own flat records: their member names are ours, not a caller's. */
const kebab = (thing: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(thing).map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`),
      value,
    ]),
  );
