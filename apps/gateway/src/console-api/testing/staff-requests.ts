import { BLOBS } from '@ponte/nest';
import type { Blobs } from '@ponte/event-sourcing';
import type { SignedInBrowser } from '../../testing/staff-browser';
import type { StaffRoute } from '../../testing/staff-route';
import { SESSION_ROUTES } from '../../testing/staff-routes';
import { signIn, staffRequest } from '../../testing/staff-browser';
import { CASE_FILE } from '../../testing/queue-items';
import { STAFF } from '../../testing/staff-members';
import type { StaffOperationId } from '../../staff/roles';
import { ROLES_OF } from '../../staff/roles';
import { SAMPLE } from '../../api/samples';
import { testGateway } from '../../testing/use-gateway';

export type Name = keyof typeof STAFF;
export const NAMES = Object.keys(STAFF) as Name[];
export const ROUTES = Object.entries(SESSION_ROUTES) as [StaffOperationId, StaffRoute][];

const { gateway, useTestGateway } = testGateway();
export { gateway };
export let browsers: Record<Name, SignedInBrowser>;

/** Starts the gateway and signs each staff member in, before the tests of a file. */
export function useSignedInStaff(): void {
  useTestGateway();
  beforeAll(async () => {
    await gateway.app
      .get<Blobs>(BLOBS, { strict: false })
      .put(CASE_FILE, Buffer.from('\x89PNG'), { contentType: 'image/png' });
    const signed = await Promise.all(NAMES.map(async (name) => [name, await signIn(gateway, name)] as const));
    browsers = Object.fromEntries(signed) as Record<Name, SignedInBrowser>;
  });
}

export const send = (route: StaffRoute, headers: Record<string, string>) =>
  gateway.app.inject(staffRequest(route, headers));
export const as = (name: Name, url: string, body?: object) =>
  send({ method: body ? 'POST' : 'GET', url, ...(body ? { body } : {}), status: 200, answer: null }, browsers[name]);
export const lastRequest = (definition: { pattern: string }) => gateway.bus.requestsOf(definition).at(-1);
export const ONE = `/staff/v1/account-requests/${SAMPLE.requestId}`;
/** A staff member whose role may call the operation. */
export const allowed = (id: StaffOperationId): Name =>
  NAMES.find((name) => (ROLES_OF[id] as readonly string[]).includes(STAFF[name].roles[0] ?? '')) as Name;
/** Sign-out ends its session, so it gets a separate one. */
export const browserFor = async (id: StaffOperationId, name: Name) =>
  id === 'staff-sign-out' ? signIn(gateway, name) : browsers[name];
