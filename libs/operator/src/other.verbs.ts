import { Command } from 'commander';
import { OperatorError } from './action-runner';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { carryOut, changing, report } from './verb-options';
import { addStreamRelease } from './stream-release';
import { printRows } from './table';
import { recorded } from './tools';

/** Commands for the copies of parked events on the brokers. */
export function letterVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const list = new Command('list')
    .description('list the dead letters that the brokers still store, newest last')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { deadLetters } = await tools();
      if (!deadLetters)
        throw new OperatorError('there are no dead letters without brokers; "parked list" shows the parked events');
      printRows(
        print,
        (await deadLetters()).map((letter) => ({ ...letter })),
        { json, none: 'there are no dead letters' },
      );
    });
  const replay = addStreamRelease(
    options,
    new Command('replay')
      .description('deliver the event of a dead letter again, and the events of its stream that wait behind it')
      .argument('<event-id>', 'the id of the event, as "dead-letters list" shows it'),
    ({ event }, which) => event.id === which,
  );
  return [
    new Command('dead-letters')
      .description('list and replay dead letters, the copies of parked events on the brokers')
      .addCommand(list)
      .addCommand(replay),
  ];
}

/** Commands for keys that this installation holds itself. */
export function keyVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const rewrap = changing(
    new Command('rewrap').description(
      're-encrypt the keys of personal data under the new master key; safe to repeat after a crash',
    ),
  ).action(async (flags: ChangeFlags) => {
    const all = await tools();
    const { rewrapKeys } = all;
    if (!rewrapKeys) throw new OperatorError('this service holds no keys');
    report(print, await recorded(all, 'keys rewrap', {}, flags, () => rewrapKeys()), flags.json);
  });
  return [new Command('keys').description('re-encrypt the keys of personal data').addCommand(rewrap)];
}

/** Commands for the stored responses of idempotent requests at the gateway. */
export function edgeVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const forget = changing(
    new Command('forget').description(
      'after a restore: delete the stored responses of idempotent requests, which may refer to resources that the ' +
        'restore undid, and the nonces of signed tokens',
    ),
  ).action(async (flags: ChangeFlags) => {
    const all = await tools();
    const { forgetAnswers } = all;
    if (!forgetAnswers)
      throw new OperatorError('only the gateway stores responses; those of a data folder are in its edge.db');
    report(
      print,
      await recorded(all, 'edge forget', {}, flags, async () => {
        await forgetAnswers();
        return 'all stored responses were deleted; a repeated request is handled as a new one';
      }),
      flags.json,
    );
  });
  return [new Command('edge').description('delete stored responses of idempotent requests').addCommand(forget)];
}

interface EndUnsignedFlags extends ChangeFlags {
  readonly returnPayments?: boolean;
}

/** Commands for the service that executes orders. */
export function orderVerbs(options: VerbOptions): Command {
  const endUnsigned = new Command('end-unsigned')
    .description(
      'roll back the processing orders of a frozen account for which nothing is sent, so that it can be closed: held ' +
        'funds are available again. Orders that were paid by Pix code are kept and listed. This cannot be undone',
    )
    .option(
      '--return-payments',
      'also roll back orders that were paid by Pix code, and return the payments to their payers; refused while the ' +
        'account is frozen for sanctions, fraud-suspected, court-order or compliance',
    );
  return new Command('orders')
    .description('end orders that keep a frozen account open')
    .addCommand(ofFrozenAccount('orders end-unsigned', endUnsigned, options));
}

/** Commands for transfers and withdrawals of tokens. */
export function movementVerbs(options: VerbOptions): Command {
  const endUnsigned = new Command('end-unsigned').description(
    'end the transfers, NFT transfers and token withdrawals of a frozen account whose transaction is not signed, so ' +
      'that it can be closed: held funds and certificates are available again. Signed ones are listed. This cannot ' +
      'be undone',
  );
  return new Command('movements')
    .description('end transfers and withdrawals that keep a frozen account open')
    .addCommand(ofFrozenAccount('movements end-unsigned', endUnsigned, options));
}

/** Adds the account, the usual options and the action to a verb that ends what waits unsigned. */
function ofFrozenAccount(verb: string, command: Command, options: VerbOptions): Command {
  const ending = changing(command.argument('<account-id>', 'the frozen account'));
  return ending.action(async (account: string, flags: EndUnsignedFlags) => {
    const subject = { account, ...(flags.returnPayments && { returnPayments: 'yes' }) };
    await carryOut(options, verb, subject, flags);
  });
}
