/** What the hosts of webhook targets resolve to. */
export interface TargetAddresses {
  /** All IP addresses of the URL's host; empty when it does not resolve or `url` is not a URL. Does not throw. */
  of(url: string): Promise<readonly string[]>;
}
