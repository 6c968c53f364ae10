/** What is kept between sending a browser to the provider and its coming back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Who came back, by the provider's word: the claims of the ID token, and of the user info where the token lacks them.
 */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The provider was asked and did not vouch: whatever was wrong, no one is signed in. `reason` is for the log and names
 * no person.
 */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  constructor(readonly reason: string) {
    super('the sign-in was refused');
  }
}

/** An OpenID provider: authorization code with PKCE. Throws `Unavailable` when it cannot be reached. */
export interface SignInProvider {
  /** Where to send the browser, and what to remember. */
  begin(redirectUri: string): Promise<{ readonly location: string; readonly pending: PendingSignIn }>;
  /** Judges state, issuer, audience, nonce, times and signature. Throws {@link SignInRefused}. */
  finish(callback: URL, pending: PendingSignIn): Promise<ProvenIdentity>;
}

/** Null without a provider. */
export const SIGN_IN_PROVIDER = Symbol('SignInProvider');
