// An OpenID provider for tests, as a separate process: node oidc-provider.mjs <redirect-uri>. Prints its issuer when it
// is ready.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [redirectUri] = process.argv.slice(2);

/** The next person to sign in and that person's claims; POST /control changes it. */
const control = {
  account: 'unknown',
  claims: {},
  idTokenSeconds: 300,
  refreshTokens: false,
  disabled: '',
  broken: '',
};
/** How many requests for tokens were made; GET /control shows it. */
let tokenRequests = 0;

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'ponte-staff',
        client_secret: 'a-secret-of-the-client',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'realm_access'] },
    findAccount: (_context, id) =>
      id === control.disabled ? undefined : { accountId: id, claims: () => ({ sub: id, ...control.claims }) },
    issueRefreshToken: () => control.refreshTokens,
    // Each refresh token is accepted once: a second use revokes the whole sign-in.
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: {
      IdToken: () => control.idTokenSeconds,
      Interaction: 60,
      Session: 60,
      Grant: 60,
      AccessToken: 60,
      RefreshToken: 60,
    },
    cookies: { keys: ['for-the-tests-alone'] },
  });
  const answer = provider.callback();

  /** Answers every login and consent prompt at once. */
  async function agree(request, response) {
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (control.account === 'denied')
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: control.account } });
    const grant = new provider.Grant({ accountId: control.account, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  async function change(request, response) {
    if (request.method === 'GET') return response.end(JSON.stringify({ tokenRequests }));
    let text = '';
    for await (const part of request) text += part;
    Object.assign(control, JSON.parse(text));
    return response.end();
  }

  function answerToken(request, response) {
    tokenRequests += 1;
    if (control.broken === '/token') response.writeHead(500).end();
    else void answer(request, response);
  }

  server.on('request', (request, response) => {
    if (request.url === '/control') void change(request, response);
    else if (request.url.startsWith('/interaction/')) void agree(request, response);
    else if (request.url === '/token') answerToken(request, response);
    else if (request.url === control.broken) response.writeHead(500).end();
    else void answer(request, response);
  });
  process.stdout.write(`${issuer}\n`);
});
