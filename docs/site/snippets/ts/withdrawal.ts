// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const payout = `payout-${Date.now()}`; // taken from your own records, so that a restart can repeat it safely
const { withdrawal } = await ponte.createWithdrawal(
  accountId,
  { asset: 'fiat/brl', method: 'pix', amount: '10.00', 'pix-key': 'maria@pix.example', 'external-id': payout },
  { idempotencyKey: payout },
);
console.log(withdrawal.id, withdrawal.state);
// #endregion code
