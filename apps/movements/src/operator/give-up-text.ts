import { OperatorError } from '@ponte/operator';
import type { GiveUpKeylessOutcome } from '../unsent/give-up-keyless.command';
import type { KeylessEnd } from '../unsent/keyless-end';

const ENDS: Readonly<Record<KeylessEnd['outcome'], string>> = {
  'given-up': 'given up; the funds are returned',
  lost: 'lost; send it again with "chain restore-lost"',
  'on-chain': 'not given up: the contract has taken its reference, so its effect may exist; repeat the command later',
  'not-waiting': 'not given up: it was signed or has ended in the meantime',
  unavailable: 'not given up: a node did not answer; repeat the command',
};
const DONE: ReadonlySet<KeylessEnd['outcome']> = new Set(['given-up', 'lost']);

/**
 * What operators read about transactions that were to be given up. Throws an {@link OperatorError} when movements has
 * the key, when there are none, or when one of them was not given up.
 */
export function giveUpText(found: GiveUpKeylessOutcome): string {
  if (found.outcome === 'key-held')
    throw new OperatorError('movements has this key, so its transactions end by themselves; nothing was changed');
  const kept = found.signed.map(
    (id) => `${id}: signed, so it is never given up; its bytes are sent until they are mined`,
  );
  if (found.outcome === 'preview') {
    if (found.unsigned.length + kept.length === 0) throw new OperatorError('the key has no unfinished transactions');
    const meant = found.unsigned.map((id) => `${id}: not signed, would be given up`);
    return [...meant, ...kept, 'nothing was changed; repeat the command with --confirm to give them up'].join('\n');
  }
  const ended = found.ends.map(({ transactionId, outcome }) => `${transactionId}: ${ENDS[outcome]}`);
  const text = [...ended, ...kept].join('\n');
  if (found.ends.length === 0) throw new OperatorError(`the key has no unsigned transactions\n${text}`.trim());
  if (found.ends.some(({ outcome }) => !DONE.has(outcome))) throw new OperatorError(text);
  return text;
}
