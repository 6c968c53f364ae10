import { OperatorError } from '@ponte/operator';
import type { GiveUpKeylessOutcome } from '../unsent/give-up-keyless.command';
import type { KeylessEnd, SignedOutlook } from '../unsent/keyless-end.service';

/** Why a transaction is not given up. */
const KEPT = {
  'on-chain': 'the contract has taken its reference, so it completes by itself',
  unavailable: 'too few nodes answered, or they contradicted each other; repeat the command',
  accepted:
    'its contract still accepts the key; have OPERATOR_ROLE revoked for the key, and repeat the command once the ' +
    'revocation is final',
  'nonce-used': 'its nonce is used in a final block, so it ends by itself',
  'other-contract':
    'its bytes call a contract other than the one in CHAIN_DEPLOYMENT_<CHAIN>, so it is not known whether they can ' +
    'have an effect',
} as const;

const ENDS: Readonly<Record<Exclude<KeylessEnd['outcome'], keyof typeof KEPT>, string>> = {
  'given-up': 'given up; the funds are returned',
  lost: 'lost; send it again with "chain restore-lost"',
  'not-waiting': 'not given up: it was signed, signed again or ended in the meantime; show the transactions again',
};
const DONE: ReadonlySet<KeylessEnd['outcome']> = new Set(['given-up', 'lost']);

/**
 * What operators read about transactions that were to be given up. Throws an {@link OperatorError} when movements has
 * the key, when there are none, or when one of them was not given up.
 */
export function giveUpText(found: GiveUpKeylessOutcome): string {
  if (found.outcome === 'key-held')
    throw new OperatorError(
      'movements has this key, so its transactions will end without this command; nothing was changed',
    );
  const kept = found.kept.map(
    (id) => `${id}: signed, so it is given up only with --signed; its bytes are sent until they are mined`,
  );
  if (found.outcome === 'preview') {
    const meant = found.unsigned.map((id) => `${id}: not signed, would be given up`);
    const lines = [...meant, ...found.signed.map(outlookText), ...kept];
    if (lines.length === 0) throw new OperatorError('the key has no unfinished transactions');
    const isAny = meant.length > 0 || found.signed.some(({ outlook }) => outlook === 'harmless');
    const next = isAny
      ? '; to give up the transactions marked "would be given up", repeat the command with --confirm'
      : '';
    return [...lines, `nothing was changed${next}`].join('\n');
  }
  const text = [...found.ends.map(endText), ...kept].join('\n');
  if (text === '') throw new OperatorError('the key has no unfinished transactions');
  if (found.ends.length === 0) throw new OperatorError(`the key has no unsigned transactions\n${text}`);
  if (found.ends.some(({ outcome }) => !DONE.has(outcome))) throw new OperatorError(text);
  return text;
}

const TEXTS: Readonly<Record<KeylessEnd['outcome'], string>> = {
  ...ENDS,
  'on-chain': `not given up: ${KEPT['on-chain']}`,
  unavailable: `not given up: ${KEPT.unavailable}`,
  accepted: `not given up: ${KEPT.accepted}`,
  'nonce-used': `not given up: ${KEPT['nonce-used']}`,
  'other-contract': `not given up: ${KEPT['other-contract']}`,
};

const endText = ({ transactionId, outcome }: KeylessEnd): string => `${transactionId}: ${TEXTS[outcome]}`;

function outlookText({ transactionId, outlook }: SignedOutlook): string {
  if (outlook === 'harmless')
    return `${transactionId}: signed, would be given up: its contract no longer accepts the key`;
  if (outlook === 'not-waiting') return `${transactionId}: has ended in the meantime`;
  return `${transactionId}: signed, would not be given up: ${KEPT[outlook]}`;
}
