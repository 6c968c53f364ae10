// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_PARTNER_ID: partnerId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const { 'webhook-endpoint': endpoint } = await ponte.createWebhookEndpoint(partnerId, {
  url: process.env.PONTE_RECEIVER_URL ?? '',
  'event-types': ['order-completed', 'account-approved', 'webhook-ping'],
});
console.log(endpoint.secret); // shown this once: store it
await ponte.pingWebhookEndpoint(partnerId, endpoint.id);
// #endregion code
