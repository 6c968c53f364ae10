import { Argument, Command } from 'commander';
import { usage } from '../failures';
import { table } from '../output';
import type { Host } from '../session';
import { Session } from '../session';
import { KYC_SCENARIOS } from './kyc-scenarios';
import { MONEY_SCENARIOS } from './money-scenarios';
import type { Scenario, Step } from './scenario';

/** Every scenario, in the order of the help. */
const SCENARIOS: readonly Scenario[] = [...MONEY_SCENARIOS, ...KYC_SCENARIOS];

const AMOUNT = /^\d{1,12}(\.\d{2})?$/;
const COLUMNS = [
  { title: 'what', of: (step: Step) => step.did },
  { title: 'id', of: (step: Step) => step.id },
  { title: 'state', of: (step: Step) => step.state },
];

const list = SCENARIOS.map(({ name, description }) => `  ${name.padEnd(27)}${description}`).join('\n');

/** `trigger` works only in the sandbox. */
export const triggerCommand = (host: Host): Command =>
  new Command('trigger')
    .description('run a scenario in the sandbox, and wait until it ends')
    .addArgument(new Argument('<scenario>', 'what happens').choices(SCENARIOS.map(({ name }) => name)))
    .option('--amount <amount>', 'the amount in BRL, for scenarios that move money')
    .addHelpText('after', `\nScenarios:\n${list}`)
    .action(async (name: string, { amount }: { readonly amount?: string }, command: Command) => {
      const session = Session.of(host, command);
      const scenario = SCENARIOS.find((one) => one.name === name) as Scenario;
      if (amount !== undefined && (scenario.amount === undefined || !AMOUNT.test(amount))) {
        throw usage(
          scenario.amount === undefined ? `${name} has no amount.` : `${amount} is not an amount.`,
          'Pass BRL with two decimals, such as 100.00.',
        );
      }
      const steps: Step[] = [];
      try {
        await scenario.run(session, amount ?? scenario.amount ?? '', (step) => void steps.push(step));
      } finally {
        if (steps.length > 0) session.output.result({ scenario: name, steps }, () => table(steps, COLUMNS, ''));
      }
    });
