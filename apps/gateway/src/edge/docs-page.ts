import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PLACEHOLDER_SCRIPT } from './docs-placeholders';
import { sendInPieces } from './in-pieces';

/** Everything comes from our own origin; the page's style sheet is the only thing that is written inline, by the viewer. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Ponte API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;

const START = `${PLACEHOLDER_SCRIPT}
window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0, tagsSorter: null,
  requestInterceptor: (request) => (request.loadSpec ? request : fillExamples(request, window.fetch.bind(window))),
  responseInterceptor: (response) => { remember(response.obj); return response; }
});
`;

const ASSETS: Readonly<Record<string, string>> = { 'swagger-ui.css': 'text/css; charset=utf-8', 'swagger-ui-bundle.js': 'text/javascript; charset=utf-8' };

/** The readable form of the document at `/docs`, served by ourselves. */
export function serveDocs(server: FastifyInstance): void {
  const loaded = new Map<string, Promise<Buffer>>();
  server.get('/docs', (_request, reply) => send(reply, 'text/html; charset=utf-8', PAGE));
  server.get('/docs/start.js', (_request, reply) => send(reply, 'text/javascript; charset=utf-8', START));
  for (const [name, type] of Object.entries(ASSETS)) {
    server.get(`/docs/${name}`, async (_request, reply) => {
      const file = loaded.get(name) ?? readFile(join(dirname(require.resolve('swagger-ui-dist/package.json')), name));
      loaded.set(name, file);
      return send(reply, type, await file);
    });
  }
}

const send = (reply: FastifyReply, type: string, body: string | Buffer): FastifyReply =>
  sendInPieces(reply.header('content-security-policy', POLICY).header('cache-control', 'public, max-age=3600').type(type), typeof body === 'string' ? Buffer.from(body) : body);
