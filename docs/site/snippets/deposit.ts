// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const { brcode } = await ponte.getFundingCode(accountId);
console.log(`Pay into the account with ${brcode}`);
await ponte.simulatePixPayment({ 'account-id': accountId, amount: '250.00' });
for await (const deposit of ponte.listDeposits(accountId, 'brl', { limit: 10 }))
  console.log(deposit.id, deposit.status);
console.log((await ponte.getBalance(accountId, 'brl')).balance);
// #endregion code
