// #region code
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@ponte/sdk';

const { PONTE_WEBHOOK_SECRET: secret = '', PORT = '4000' } = process.env;
if (!secret) throw new Error('PONTE_WEBHOOK_SECRET must be the secret of the webhook endpoint: whsec_ and base64');

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    // the raw body: JSON that is parsed and serialized again may have different bytes
    const body = Buffer.concat(chunks).toString();
    verifyWebhook({ headers: request.headers, body }, secret).then(
      (event) => {
        console.log(`verified ${event['event-type']} ${event['event-id']}`); // store it before you respond
        response.writeHead(200).end();
      },
      (error: unknown) => {
        // anything else, such as a secret that is missing, is a fault of this program
        const isForged = error instanceof WebhookVerificationError;
        if (!isForged) console.error(error);
        response.writeHead(isForged ? 400 : 500).end();
      },
    );
  });
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
// #endregion code
