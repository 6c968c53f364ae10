import { TransactionConfirmed, TransactionIntended, TransactionSigned } from '@ponte/contracts';
import type { Step, Fixtures } from './fixtures';
import { step } from './fixtures';
import { TOKENS } from './report-life';

const OPERATOR = '0x00000000000000000000000000000000000000aa';

/** The transaction that mints the tokens of an order, up to its confirmation. Returns its hash. */
export function* minted(
  fixtures: Fixtures,
  { number, orderId, accountId, to }: { number: number; orderId: string; accountId: string; to: string },
): Generator<Step, string> {
  const transactionId = fixtures.seeded.id('transaction', number);
  const [chain, id, txHash] = [
    'eth-base' as const,
    fixtures.seeded.id('mint', number),
    fixtures.seeded.hex(32, 'tx', number),
  ];
  const stream = `chainTransaction-${transactionId}`;
  const about = { transactionId, chain };
  yield step(
    stream,
    new TransactionIntended({
      ...about,
      from: OPERATOR,
      purpose: { kind: 'mint', id, orderId, accountId, asset: 'eth-base/brlv', amount: TOKENS, to },
      intendedAt: fixtures.now(),
    }),
  );
  yield step(
    stream,
    new TransactionSigned({
      ...about,
      from: OPERATOR,
      nonce: fixtures.nonce(chain),
      raw: fixtures.seeded.hex(180, 'raw', number),
      txHash,
      maxFeePerGas: '3000000000',
      maxPriorityFeePerGas: '1000000000',
    }),
  );
  const now = fixtures.now();
  yield step(
    stream,
    new TransactionConfirmed({
      ...about,
      purpose: { kind: 'mint', id, orderId, accountId },
      txHash,
      blockNumber: String(number),
      blockHash: fixtures.seeded.hex(32, 'block', number),
      minedAt: now,
      confirmedAt: now,
      from: OPERATOR,
      nonce: null,
      final: true,
    }),
  );
  return txHash;
}
