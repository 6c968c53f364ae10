// #region code
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_ACCOUNT_ID: accountId = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

// Server-Sent Events: goes on with what happens, and connects again behind the last event.
for await (const { position, event } of ponte.events(accountId, { after: 0 })) {
  console.log(position, event['event-type'], event['resource-id']);
  if (position >= 3) break; // your program stores the position and goes on
}
// #endregion code
process.exit(0);
