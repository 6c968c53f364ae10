import type { ListenAddress } from '@ponte/kernel';
import type { CallbackServer } from '@ponte/nest';
import { serveCallbacks } from '@ponte/nest';
import type { CallbackSignature } from '../../checks.vendors';
import { judgeSignature } from './signed-callback';

/** A route for the signed callbacks of one vendor. */
export interface VendorRoute {
  /** For example `/callbacks/liveness/provider-1`. */
  readonly path: string;
  readonly signature: CallbackSignature;
  /** The callback is processed once this resolves. Throws `BadCallback`; after any other error the vendor resends. */
  receive(body: unknown): Promise<void>;
}

interface VendorServerOptions extends ListenAddress {
  readonly routes: readonly VendorRoute[];
  /** System time in milliseconds. */
  readonly now: () => number;
  readonly warn: (facts: { readonly route: string; readonly reason: string }) => void;
}

const BODY_LIMIT = 65_536;

/** The server for callbacks of vendors, which sign the raw bytes of the body. */
export function serveVendorCallbacks({ routes, now, ...options }: VendorServerOptions): Promise<CallbackServer> {
  return serveCallbacks({
    ...options,
    bodyLimit: BODY_LIMIT,
    routes: routes.map(({ path, signature, receive }) => ({
      path,
      name: path,
      refusal: (headers, body) => {
        const verdict = judgeSignature(signature, headers, body, now());
        return verdict === 'genuine' ? null : verdict;
      },
      receive,
    })),
  });
}
