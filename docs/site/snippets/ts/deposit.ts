// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const { brcode } = await ponte.getFundingCode(accountId);
console.log(`Pay into the account with ${brcode}`);
const { 'pix-payment': paid } = await ponte.simulatePixPayment({ 'account-id': accountId, amount: '250.00' });

let status = 'created';
for (let second = 0; second < 60 && ['created', 'confirmed'].includes(status); second += 1) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for await (const deposit of ponte.listDeposits(accountId, 'brl', { 'end-to-end-id': paid['end-to-end-id'] }))
    ({ status } = deposit);
}
if (status !== 'credited') throw new Error(`The deposit is not credited. Its status is ${status}.`);
console.log((await ponte.getBalance(accountId, 'brl')).balance);
// #endregion code
