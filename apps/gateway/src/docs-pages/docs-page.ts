import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error';
import { PLACEHOLDER_SCRIPT } from './docs-placeholders';
import { DocsSite } from './docs-site';
import { sendInPieces } from '../bodies/in-pieces';
import { CSS, hide, HTML, JAVASCRIPT, referencePage, referencePolicy, showReference } from './reference-page';
import { readViewer } from './reference-viewer';

const REFERENCE = '/docs/reference';
const HOUR = 'public, max-age=3600';
/** Shown above the reference until the guides are built. */
const HOW_TO_BUILD =
  '<p class="note"><strong>The guides are not built yet.</strong> <code>npm start</code> builds them, within a minute or two' +
  ' after its first start. If it printed that this failed, run <code>npm run docs:site</code>. Then load this page again.' +
  ' Until then, this is the API reference.</p>';

/** The key comes in the URL fragment, `#key=…`, which is never sent to a server. It is kept in this tab only. */
const START = `${PLACEHOLDER_SCRIPT}
const KEY = 'ponte-sandbox-key';
const given = /^#key=(sk_test_[\\w-]+)$/.exec(location.hash);
if (given) {
  sessionStorage.setItem(KEY, given[1]);
  history.replaceState(null, '', location.pathname);
}
async function fill(request) {
  return new URL(request.url, location.href).pathname.startsWith('/api/') ? fillExamples(request, fetch) : request;
}
function keepIds(response) {
  remember(response.obj);
  return response;
}
function presentKey() {
  const key = sessionStorage.getItem(KEY);
  if (key) ui.preauthorizeApiKey('sandbox-key', key);
}
${showReference(
  '/openapi.json',
  `tryItOutEnabled: true, requestInterceptor: fill, responseInterceptor: keepIds, onComplete: presentKey,
  plugins: [${hide('ServersContainer')}]`,
)}`;

/**
 * Serves the guides at `/docs`, if they are built, and the reference of the partner API at `/docs/reference`. Both load
 * everything from our own origin. A browser that opens `/` is redirected to `/docs`.
 */
export function serveDocs(server: FastifyInstance): void {
  const site = new DocsSite();
  const reference = (reply: FastifyReply): FastifyReply =>
    (site.isBuilt ? send : sendOnce)(
      reply,
      HTML,
      referencePage(REFERENCE, 'Ponte API reference', site.isBuilt ? '' : HOW_TO_BUILD),
      referencePolicy(),
    );
  server.get('/', ({ headers }, reply) => {
    if (!headers.accept?.includes('text/html')) throw new ApiError('route-not-found');
    return reply.redirect('/docs');
  });
  server.get('/docs', (_request, reply) => (site.isBuilt ? reply.redirect('/docs/') : reference(reply)));
  server.get(REFERENCE, (_request, reply) => reference(reply));
  server.get(`${REFERENCE}/start.js`, (_request, reply) => send(reply, JAVASCRIPT, START, referencePolicy()));
  server.get(`${REFERENCE}/viewer.js`, (_request, reply) =>
    send(reply, JAVASCRIPT, readViewer().script, referencePolicy()),
  );
  server.get(`${REFERENCE}/viewer.css`, (_request, reply) => send(reply, CSS, readViewer().style, referencePolicy()));
  const guide = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const file = site.find((request.params as Record<string, string>)['*'] ?? '');
    if (!file) throw new ApiError('route-not-found');
    return send(reply, file.type, file.bytes, referencePolicy(file.inlineScripts));
  };
  server.get('/docs/', guide);
  server.get('/docs/*', guide);
}

const send = (reply: FastifyReply, type: string, body: string | Buffer, csp: string, cache = HOUR): FastifyReply =>
  sendInPieces(
    reply.header('content-security-policy', csp).header('cache-control', cache).type(type),
    typeof body === 'string' ? Buffer.from(body) : body,
  );

/** Sends what is shown until the guides are built, without caching. */
const sendOnce: typeof send = (reply, type, body, csp) => send(reply, type, body, csp, 'no-store');
