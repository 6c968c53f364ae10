import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import { PLACEHOLDER_SCRIPT } from './docs-placeholders';
import { DocsSite } from './docs-site';
import { sendInPieces } from './in-pieces';
import { readViewer } from './reference-viewer';

/** Scripts of our own origin, inline ones by their hash. Scalar and VitePress write styles inline, so these are allowed. */
const policy = (scripts = ''): string =>
  [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const REFERENCE = '/docs/reference';
const HTML = 'text/html; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const HOUR = 'public, max-age=3600';
const HOW_TO_BUILD = '<p class="note">Guides: run <code>npm run docs:site</code>, then start again.</p>';

const page = (note: string): string => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Ponte API reference</title></head>
<body>${note}<div id="docs"></div><script src="${REFERENCE}/viewer.js"></script><script src="${REFERENCE}/start.js"></script></body>
</html>
`;

/** The key comes in the fragment, `#key=…`, which no server sees; it stays in this tab. */
const START = `${PLACEHOLDER_SCRIPT}
const KEY = 'ponte-sandbox-key';
const given = /^#key=(sk_test_[\\w-]+)$/.exec(location.hash);
if (given) {
  sessionStorage.setItem(KEY, given[1]);
  history.replaceState(null, '', location.pathname);
}
const send = window.fetch.bind(window);
async function filled(input, init) {
  const request = new Request(input, init);
  if (!new URL(request.url).pathname.startsWith('/api/')) return send(input, init);
  const form = (request.headers.get('content-type') || '').startsWith('multipart/');
  const body = ['GET', 'HEAD'].includes(request.method) || form ? undefined : await request.clone().text();
  const made = await fillExamples({ url: request.url, headers: Object.fromEntries(request.headers), body: body || undefined }, send);
  const response = await (form ? send(made.url, { method: request.method, headers: request.headers, body: await request.blob() })
    : send(made.url, { method: request.method, headers: request.headers, body: made.body }));
  response.clone().json().then(remember, () => undefined);
  return response;
}
/* The viewer's own grey and green are too pale for small text. */
const CONTRAST = '.light-mode { --scalar-color-3: #5f5f5f; --scalar-color-green: #00683f; --scalar-color-orange: #9a4b00; }'
  + ' .dark-mode { --scalar-color-3: #a4a4a4; }';
Scalar.createApiReference('#docs', {
  url: '/openapi.json',
  customCss: CONTRAST, theme: 'default', layout: 'modern', withDefaultFonts: false, telemetry: false, hideClientButton: true, showDeveloperTools: 'never',
  agent: { disabled: true }, mcp: { disabled: true }, defaultOpenAllTags: false, persistAuth: true, customFetch: filled,
  authentication: { preferredSecurityScheme: 'sandbox-key', securitySchemes: { 'sandbox-key': { token: sessionStorage.getItem(KEY) || '' } } },
});
`;

/** The guides at `/docs`, where they are built, and the reference of the partner API at `/docs/reference`; both from our own origin. */
export function serveDocs(server: FastifyInstance): void {
  const site = new DocsSite();
  const viewer = { bytes: undefined as Promise<Buffer> | undefined };
  const reference = (reply: FastifyReply): FastifyReply =>
    send(reply, HTML, page(site.isBuilt ? '' : HOW_TO_BUILD), policy());
  server.get('/docs', (_request, reply) => (site.isBuilt ? reply.redirect('/docs/') : reference(reply)));
  server.get(REFERENCE, (_request, reply) => reference(reply));
  server.get(`${REFERENCE}/start.js`, (_request, reply) => send(reply, JAVASCRIPT, START, policy()));
  server.get(`${REFERENCE}/viewer.js`, async (_request, reply) => {
    viewer.bytes ??= readViewer();
    return send(reply, JAVASCRIPT, await viewer.bytes, policy());
  });
  const guide = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const file = site.find((request.params as Record<string, string>)['*'] ?? '');
    if (!file) throw new ApiError('route-not-found');
    return send(reply, file.type, file.bytes, policy(file.inlineScripts));
  };
  server.get('/docs/', guide);
  server.get('/docs/*', guide);
}

const send = (reply: FastifyReply, type: string, body: string | Buffer, csp: string): FastifyReply =>
  sendInPieces(
    reply.header('content-security-policy', csp).header('cache-control', HOUR).type(type),
    typeof body === 'string' ? Buffer.from(body) : body,
  );
