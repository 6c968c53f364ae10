// #region code
import { isApiError, Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const pay = (amount: string, idempotencyKey: string) =>
  ponte.createWithdrawal(
    accountId,
    { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': 'maria@pix.example' },
    { idempotencyKey },
  );

const key = `payout-${crypto.randomUUID()}`;
const [first, again] = [await pay('1.00', key), await pay('1.00', key)];
console.log(first.withdrawal.id === again.withdrawal.id); // true: one withdrawal

await pay('2.00', key).catch((error: unknown) => {
  if (!isApiError(error, 'idempotency-key-reused')) throw error;
  console.log('The key belongs to another request.');
});
// #endregion code
