// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

for await (const order of ponte.listOrders(accountId, { state: 'completed', limit: 1 })) console.log(order.id);
// #endregion code
