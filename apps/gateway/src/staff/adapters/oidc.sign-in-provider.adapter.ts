import type { ClientAuth, Configuration } from 'openid-client';
import { Unavailable } from '@ponte/kernel';
import type { PendingSignIn, ProvenIdentity, SignInProvider } from '../provider/sign-in-provider.port';
import { SignInRefused } from '../provider/sign-in-provider.port';
import type { OidcSettings } from '../../staff.config';

/** Short, because a person waits in front of a browser. */
const TIMEOUT_SECONDS = 8;
const CHALLENGE_METHOD = 'S256';

type Library = typeof import('openid-client');
type Claims = Readonly<Record<string, unknown>>;
type Tokens = Awaited<ReturnType<Library['refreshTokenGrant']>>;

/**
 * Any OpenID provider that publishes its configuration. The configuration is fetched at the first sign-in and again
 * after a failure, so the gateway starts even when the provider is not reachable.
 */
export function oidcProvider(settings: OidcSettings): SignInProvider {
  let library: Promise<Library> | undefined;
  let discovered: Promise<Configuration> | undefined;

  async function discover(oidc: Library): Promise<Configuration> {
    const plain = settings.issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(settings.issuer, settings.clientId, undefined, clientAuth(oidc, settings.clientSecret), {
      timeout: TIMEOUT_SECONDS,
      // Checks the signature of the token although it comes directly from the provider.
      execute: [...plain, oidc.enableNonRepudiationChecks],
    });
  }

  async function ready(): Promise<{ readonly oidc: Library; readonly config: Configuration }> {
    // Loaded on first use, because most sandboxes have no provider.
    library ??= import('openid-client');
    const oidc = await library;
    discovered ??= discover(oidc);
    const pending = discovered;
    try {
      return { oidc, config: await pending };
    } catch (error) {
      if (discovered === pending) discovered = undefined;
      throw unreachable(error);
    }
  }

  return {
    async begin(redirectUri) {
      const { oidc, config } = await ready();
      const pending: PendingSignIn = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const location = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: CHALLENGE_METHOD,
      });
      return { location: location.href, pending };
    },
    async finish(callback, { state, nonce, verifier }) {
      const { oidc, config } = await ready();
      try {
        const tokens = await oidc.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        if (!tokens.claims()) throw new SignInRefused('no-id-token');
        return await identityIn(oidc, config, settings, tokens);
      } catch (error) {
        throw error instanceof SignInRefused ? error : signInFailure(error);
      }
    },
    async renew(refreshToken, keep) {
      const { oidc, config } = await ready();
      try {
        const tokens = await oidc.refreshTokenGrant(config, refreshToken);
        if (tokens.refresh_token !== undefined) await keep(tokens.refresh_token);
        return await identityIn(oidc, config, settings, tokens);
      } catch (error) {
        // Any other error says nothing about the person, for example that of a replaced client secret.
        throw codeOf(error) === 'invalid_grant' ? new SignInRefused('invalid_grant') : unreachable(error);
      }
    },
  };
}

/**
 * Reads the ID token, and the user info if the token has no roles claim: some providers return roles only there. A
 * renewal may have no ID token.
 */
async function identityIn(
  oidc: Library,
  config: Configuration,
  { rolesClaim }: OidcSettings,
  tokens: Tokens,
): Promise<ProvenIdentity> {
  const [first = ''] = rolesClaim;
  const idToken = tokens.claims();
  const { issuer, userinfo_endpoint: userInfo } = config.serverMetadata();
  const claims: Claims =
    idToken && (first in idToken || !userInfo)
      ? idToken
      : {
          ...(await oidc.fetchUserInfo(config, tokens.access_token, idToken?.sub ?? oidc.skipSubjectCheck)),
          ...idToken,
        };
  return {
    issuer: idToken?.iss ?? issuer,
    subject: String(claims['sub']),
    claims,
    refreshToken: tokens.refresh_token ?? null,
  };
}

/** Uses `client_secret_basic`, the default of OpenID Connect, unless the provider lists only other methods. */
function clientAuth(oidc: Library, secret: string | null): ClientAuth {
  if (secret === null) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers);
  };
}

/** The library's error codes for a provider that did not respond, or not as an OpenID provider. */
const AWAY: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_HTTP_REQUEST_FORBIDDEN']);

/** An error without a code comes from the network, one with a code from the provider. Neither is shown. */
function signInFailure(error: unknown): Error {
  const code = codeOf(error);
  return code === undefined || AWAY.has(code) ? unreachable(error) : new SignInRefused(code);
}

function codeOf(error: unknown): string | undefined {
  const { code, error: reported } = (error ?? {}) as { code?: unknown; error?: unknown };
  if (typeof reported === 'string') return /^[a-z_]{1,60}$/.test(reported) ? reported : 'unreadable-error';
  return typeof code === 'string' && code.startsWith('OAUTH_') ? code : undefined;
}

const unreachable = (cause: unknown): Unavailable =>
  Object.assign(new Unavailable('service-unavailable', 'the sign-in provider is not responding'), { cause });
