import type { AmountOf, Hold, HouseAccount, LedgerAccountEvent, Posting } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { ledgerExamples, sectionOf, tableOf } from '../testing/ledger-document';
import type { ExampleInput, LedgerExample } from '../testing/ledger-document';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import type { LedgerAccount } from './ledger-account.state';
import { availableOf, balanceOf } from './ledger-account.state';
import { moneyOf } from './ledger-account.state';

const NOW = '2026-11-20T12:00:00.000Z';
const ID = { accountId: 'a1', now: NOW } as const;
const OTHERS = { same: 'a1', another: 'a2' } as const;

function amount(text: string | undefined): AmountOf {
  const [asset, number] = (text ?? '').split(' ');
  if (asset === undefined || number === undefined) throw new Error(`"${String(text)}" is not "asset amount"`);
  return { asset: asset as AssetId, amount: Money.parse(asset as AssetId, number).toString() };
}
const holdOf = (kind: Hold['owner']['kind'], of: AmountOf): Hold => ({ holdId: 'h', owner: { kind, id: 'x' }, ...of });
const deposit = (credit: AmountOf, hold: Hold | null, from: ExampleInput['from'] = 'settlement') =>
  ({ kind: 'post-deposit', ...ID, depositId: 'd', credit, hold, from }) as const;
/** Funds the account with `of` and holds it for an owner. */
const funded = (kind: Hold['owner']['kind'], of: AmountOf): LedgerAccountCommand[] => [
  { kind: 'post-deposit', ...ID, depositId: 'before', credit: of, hold: null },
  { kind: 'place-hold', ...ID, hold: holdOf(kind, of) },
];

/** The commands that lead to the event of an example; the last one produces it. */
function commandsOf(input: ExampleInput): LedgerAccountCommand[] {
  const { event, custody = true, spread = '0.00', fee = '0.00', tax = '0.00' } = input;
  const receiverAccountId = input.receiver === undefined ? null : OTHERS[input.receiver];
  switch (event) {
    case 'DepositPosted':
      return [deposit(amount(input.credit), null, input.from)];
    case 'DepositPostedAndHeld':
      return [deposit(amount(input.credit), holdOf('order', amount(input.credit)))];
    case 'DepositReversed': {
      const credit = amount(input.debit);
      return input.held
        ? [
            deposit(credit, holdOf('order', credit)),
            { kind: 'reverse-deposit', ...ID, depositId: 'd', holdId: 'h', reason: 'paid-late' },
          ]
        : [deposit(credit, null), { kind: 'take-back-deposit', ...ID, depositId: 'd', credit, credited: true }];
    }
    case 'DepositPostingBarred': {
      const credit = amount(input.debit);
      return [{ kind: 'take-back-deposit', ...ID, depositId: 'd', credit, credited: false }];
    }
    case 'HoldPlaced':
      return funded('order', amount(input.hold));
    case 'HoldReleased':
      return [
        ...funded('order', amount(input.hold)),
        { kind: 'release-hold', accountId: 'a1', holdId: 'h', reason: 'order-rolled-back' },
      ];
    case 'ExchangePosted': {
      const [debit, credit] = [amount(input.debit), amount(input.credit)];
      const deliveryHold = input.held ? { ...holdOf('order', credit), holdId: 'delivery' } : null;
      const charges = { spread, fee, tax };
      const facts = { orderId: 'x', holdId: 'h', debit, credit, custody, charges, deliveryHold };
      return [...funded('order', debit), { kind: 'post-exchange', ...ID, ...facts }];
    }
    case 'WithdrawalPosted': {
      const facts = { withdrawalId: 'x', holdId: 'h', receiverAccountId };
      return [...funded('withdrawal', amount(input.debit)), { kind: 'post-withdrawal', ...ID, ...facts }];
    }
    case 'TokenMovementPosted': {
      const debit = amount(input.debit);
      const hold = holdOf('transfer', debit);
      const facts = { movementId: 'm', owner: hold.owner, holdId: 'h', debit, receiverAccountId };
      return [...funded('transfer', debit), { kind: 'post-token-movement', ...ID, ...facts }];
    }
    case 'BalanceWrittenOff': {
      const amounts = (input.debits ?? []).map(amount);
      const deposits = amounts.map((of, at) => ({ ...deposit(of, null), depositId: `d${at}` }));
      return [...deposits, { kind: 'write-off', ...ID, amounts, since: NOW }];
    }
    case 'HouseLossPosted':
    case 'HouseLossReversed': {
      const kind = event === 'HouseLossPosted' ? 'post-loss' : 'reverse-loss';
      const [from, to] = input.between ?? ['loss', 'issuance'];
      const path = { from, to } as const;
      return [{ kind, ...ID, transactionId: 't', causeId: 'c', loss: amount(input.loss), path }];
    }
    default:
      throw new Error(`no event of an account is called ${event}`);
  }
}

interface Replayed {
  readonly event: LedgerAccountEvent;
  readonly before: LedgerAccount;
  readonly after: LedgerAccount;
}

function replay({ input }: LedgerExample): Replayed {
  let [before, after] = [ledgerAccount.initial, ledgerAccount.initial];
  let last: LedgerAccountEvent | undefined;
  for (const command of commandsOf(input)) {
    const events = ledgerAccount.decide(command, after);
    if (events.length !== 1) throw new Error(`${command.kind} made ${events.length} events`);
    before = after;
    [last] = events;
    after = events.reduce(ledgerAccount.evolve, after);
  }
  if (!last) throw new Error('nothing happened');
  return { event: last, before, after };
}

/** The postings of an event, summed per account and asset, with the names that the document uses. */
function postedBy({ data }: LedgerAccountEvent): ReadonlyMap<string, string> {
  const sums = new Map<string, Money>();
  for (const posting of 'postings' in data ? (data.postings as readonly Posting[]) : []) {
    const key = `${posting.account.replace(/:a1$/, '').replace('house:', '')} ${posting.asset}`;
    const sum = sums.get(key);
    sums.set(key, sum ? sum.plus(moneyOf(posting)) : moneyOf(posting));
  }
  return new Map([...sums].map(([key, sum]) => [key, sum.toString()]));
}

// Examples of suspense are not events of an account; `suspense-examples.spec.ts` replays them.
const EXAMPLES = ledgerExamples().filter(({ input: { event } }) => !event.startsWith('Suspense'));

describe('The worked examples of docs/ledger-examples.md', () => {
  it.each(EXAMPLES.map((example) => [example.title, example] as const))(
    'include "%s", which posts what its table states',
    (_, example) => {
      const { event, before, after } = replay(example);
      expect(event.type).toBe(example.input.event);
      expect(postedBy(event)).toEqual(example.posted);
      // The customer's amount in the table equals the change of the balance, and each column sums to zero.
      const sums = new Map<AssetId, bigint>();
      for (const [key, text] of example.posted) {
        const [account, asset] = key.split(' ') as [string, AssetId];
        const { minor } = Money.stored(asset, text);
        sums.set(asset, (sums.get(asset) ?? 0n) + minor);
        if (account === 'customer') {
          expect(balanceOf(after, asset).running - balanceOf(before, asset).running).toBe(minor);
        }
      }
      expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([]);
    },
  );

  it.each(['HoldPlaced', 'HoldReleased'])('include %s, which changes only what is available', (type) => {
    const example = EXAMPLES.find(({ input }) => input.event === type);
    if (!example) throw new Error(`no example of ${type}`);
    const { before, after } = replay(example);
    const { asset, amount: text } = amount(example.input.hold);
    const change = Money.stored(asset, text).minor * (type === 'HoldPlaced' ? -1n : 1n);
    expect(availableOf(balanceOf(after, asset)) - availableOf(balanceOf(before, asset))).toBe(change);
  });

  it('cover every event of an account', () => {
    const shown = new Set(EXAMPLES.map(({ input }) => input.event));
    expect(ledgerAccount.events.map(({ type }) => type).filter((type) => !shown.has(type))).toEqual([]);
  });

  it('cover every kind of conversion, by the symbols of its pair', () => {
    const symbols = ({ source, target }: { source: string; target: string }) =>
      [source, target].map((asset) => asset.split('/')[1]).join(' ');
    const shown = new Set(
      EXAMPLES.filter(({ input }) => input.event === 'ExchangePosted').map(({ input }) =>
        symbols({ source: amount(input.debit).asset, target: amount(input.credit).asset }),
      ),
    );
    expect([...shown].sort()).toEqual([...new Set(PAIRS.map(symbols))].sort());
  });

  const chart = new Set(
    tableOf(sectionOf('ledger.md', 'Chart of accounts')).map(([account = '']) => account.replace(/^house:|:<.*$/g, '')),
  );

  it('come with a chart of accounts that lists every house account', () => {
    // The compiler requires a line for each of them; `account` is the heading of the column.
    const house: Record<HouseAccount, true> = {
      ...{ settlement: true, reserve: true, issuance: true, external: true, treasury: true, 'fx-position': true },
      ...{ fees: true, spread: true, tax: true, rounding: true, suspense: true, unclaimed: true },
      ...{ clearing: true, loss: true, owed: true },
    };
    expect([...chart].sort()).toEqual(['account', 'customer', ...Object.keys(house)].sort());
  });

  it('use only accounts from the chart of accounts', () => {
    const used = EXAMPLES.flatMap(({ posted }) => [...posted.keys()].map((key) => key.split(' ')[0] ?? ''));
    expect(used.filter((account) => !chart.has(account))).toEqual([]);
  });
});
