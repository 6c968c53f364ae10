/** The state that is kept while the browser is at the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The identity that the provider confirmed: the claims of the ID token, supplemented by the user info. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Null if the provider gave none. A secret: it is stored sealed only. */
  readonly refreshToken: string | null;
}

/** The sign-in failed and no session is created. `reason` is for the log and contains no personal data. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  constructor(readonly reason: string) {
    super('the sign-in was refused');
  }
}

/** An OpenID provider: authorization code with PKCE. Throws `Unavailable` when it cannot be reached. */
export interface SignInProvider {
  /** Returns the URL to which the browser is sent, and the state to keep. */
  begin(redirectUri: string): Promise<{ readonly location: string; readonly pending: PendingSignIn }>;
  /** Checks state, issuer, audience, nonce, times and signature. Throws {@link SignInRefused}. */
  finish(callback: URL, pending: PendingSignIn): Promise<ProvenIdentity>;
  /**
   * The current claims of a person who signed in before. Throws {@link SignInRefused} if the provider no longer accepts
   * the refresh token: the person is disabled there, or the sign-in was revoked or has expired. `keep` stores a new
   * token before anything else is asked, because the provider may no longer accept the one that was used.
   */
  renew(refreshToken: string, keep: (next: string) => Promise<void>): Promise<ProvenIdentity>;
}

/** Null without a provider. */
export const SIGN_IN_PROVIDER = Symbol('SignInProvider');
