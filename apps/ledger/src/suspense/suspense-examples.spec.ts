import { SUSPENSE_EVENTS, SUSPENSE_SENDING_EVENTS } from '@ponte/contracts';
import { deposit } from '../deposit/deposit.decider';
import type { DepositCommand } from '../deposit/deposit.state';
import { sumsOf } from '../ledger-account/postings.domain';
import type { LedgerExample } from '../testing/ledger-document';
import { ledgerExamples } from '../testing/ledger-document';
import { factsOf } from '../deposit/deposit.testing';
import { confirmSetAside, requestSetAside, waitingTokens } from '../set-aside/set-aside.testing';
import { confirmSending, proposeSending, sent, setAside as tokensSetAside } from '../suspense-sending/sending.testing';
import { after, confirm, propose, refusedReturn } from './suspense.testing';

const EXAMPLES = ledgerExamples().filter(({ input: { event } }) => event.startsWith('Suspense'));
const E2E = 'E1234567820261120120000000000001';

/** The event of an example, made by a deposit whose return the bank refused, or by tokens of a closed account. */
function eventOf({ input: { event, amount: text = '', unallocated, setAside } }: LedgerExample) {
  const [, amount = ''] = text.split(' ');
  if (event === 'SuspenseSent') {
    const { state } = after(...tokensSetAside(amount), proposeSending(), confirmSending());
    return deposit.decide(sent(), state).at(-1);
  }
  if (setAside) {
    const { state } = after(...waitingTokens(amount), requestSetAside());
    return deposit.decide(confirmSetAside(), state).at(-1);
  }
  const posting: DepositCommand[] = unallocated
    ? [{ kind: 'create', facts: factsOf(E2E, amount, { unallocated: 'exceeds-payment' }) }]
    : refusedReturn(E2E, amount);
  const commands = event === 'SuspenseSettled' ? [...posting, propose(), confirm()] : posting;
  const { state } = after(...commands.slice(0, -1));
  return commands
    .slice(-1)
    .flatMap((last) => deposit.decide(last, state))
    .at(-1);
}

describe('The worked examples of suspense in docs/ledger-examples.md', () => {
  it.each(EXAMPLES.map((example) => [example.title, example] as const))(
    'include "%s", which posts what its table states',
    (_, example) => {
      const made = eventOf(example);
      if (!made || !('postings' in made.data)) throw new Error('nothing was posted');
      expect(made.type).toBe(example.input.event);
      const posted = made.data.postings.map(
        ({ account, asset, amount }) => [`${account.replace('house:', '')} ${asset}`, amount] as const,
      );
      expect(new Map(posted)).toEqual(example.posted);
      expect([...sumsOf(made.data.postings).values()]).toEqual([0n]);
    },
  );

  it('cover every event that posts to suspense', () => {
    const shown = new Set(EXAMPLES.map(({ input }) => input.event));
    const silent = ['Proposed', 'Rejected'].map((step) => `SuspenseSettlement${step}`);
    const sending = ['Proposed', 'Rejected', 'Started', 'Failed'].map((step) => `SuspenseSending${step}`);
    const all = [...SUSPENSE_EVENTS, ...SUSPENSE_SENDING_EVENTS].map(({ type }) => type);
    expect([...shown, ...silent, ...sending].sort()).toEqual(all.sort());
  });
});
