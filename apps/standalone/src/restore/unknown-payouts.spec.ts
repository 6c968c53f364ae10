import { operatorVerbs, runOperator } from '@ponte/operator';
import type { OperatorTools } from '@ponte/operator';
import { Command } from 'commander';

const [KNOWN, PAID] = ['0198c1d2-7a3b-7c4d-9e5f-0123456789ab', '0198c1d2-7a3b-7c4d-9e5f-ba9876543210'] as const;
const [WAITING, STOPPED, ABANDONED] = [
  '0198c1d2-7a3b-7c4d-9e5f-000000000001',
  '0198c1d2-7a3b-7c4d-9e5f-000000000002',
  '0198c1d2-7a3b-7c4d-9e5f-000000000003',
] as const;

const LOG: Readonly<Record<string, readonly string[]>> = {
  [KNOWN]: ['WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalRolledBack'],
  [WAITING]: ['WithdrawalCreated', 'WithdrawalPostponed'],
  [STOPPED]: ['WithdrawalCreated', 'WithdrawalRolledBack'],
  [ABANDONED]: ['WithdrawalAbandoned'],
};

/** Runs the verb over a log that has only the withdrawals of `LOG`. */
async function checked(...words: string[]): Promise<{ code: number; out: string }> {
  const out: string[] = [];
  const write = { print: (line: string) => out.push(line), complain: (line: string) => out.push(line) };
  const tools = {
    readStream: async (stream: string) => (LOG[stream.replace('withdrawal-', '')] ?? []).map((type) => ({ type })),
    close: async () => undefined,
  } as unknown as OperatorTools;
  const code = await runOperator(
    async (open, print) => {
      const program = new Command('main.js').exitOverride();
      operatorVerbs(open, print).forEach((verb) => program.addCommand(verb));
      await program.parseAsync(['restore', 'unknown-payouts', ...words], { from: 'user' });
    },
    async () => tools,
    write as never,
  );
  return { code, out: out.join('\n') };
}

describe('restore unknown-payouts', () => {
  it('lists the payments whose withdrawal the log does not have, once, with or without dashes', async () => {
    const bare = PAID.replaceAll('-', '').toUpperCase();
    const { code, out } = await checked(KNOWN.replaceAll('-', ''), bare, PAID, '--json');
    expect([code, JSON.parse(out)]).toEqual([1, [{ withdrawal: PAID, state: 'missing' }]]);
  });

  it('lists the payments whose withdrawal was not started in the log', async () => {
    const { code, out } = await checked(KNOWN, WAITING, STOPPED, ABANDONED, '--json');
    expect([code, JSON.parse(out)]).toEqual([
      1,
      [
        { withdrawal: WAITING, state: 'created' },
        { withdrawal: STOPPED, state: 'rolled-back' },
        { withdrawal: ABANDONED, state: 'missing' },
      ],
    ]);
  });

  it('ends with 0 when the log has all of them', async () => {
    expect(await checked(KNOWN)).toEqual({ code: 0, out: 'the withdrawal of every payment was started in the log' });
  });

  it('checks nothing when an id cannot be that of a payment', async () => {
    const { code, out } = await checked(PAID, 'E123');
    expect([code, out]).toEqual([
      1,
      'E123 is not a payment id: use the id of the withdrawal, a UUID with or without dashes',
    ]);
  });
});
