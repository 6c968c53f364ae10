import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway.config';

export const V0 = '/api/v0/';

/** v0 answers, errors too, say that v0 is going away and what takes its place (contract §14). */
export function announceDeprecation(request: FastifyRequest, reply: FastifyReply, settings: GatewaySettings): void {
  if (!request.raw.url?.startsWith(V0)) return;
  reply.header('deprecation', settings.v0Deprecation);
  reply.header('sunset', settings.v0Sunset);
  const successor = `<${successorOf(request)}>; rel="successor-version"`;
  const link = reply.getHeader('link');
  reply.header('link', link === undefined ? successor : `${String(link)}, ${successor}`);
}

/** The v1 path of the same operation, with the caller's account once that is known. */
function successorOf({ call, params, routeOptions }: FastifyRequest): string {
  const template = routeOptions.config.policy?.successor;
  if (!template) return '/api/v1';
  const values: Record<string, string> = { ...(params as Record<string, string>), ...(call.accountId ? { accountId: call.accountId } : {}) };
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    return value === undefined ? `{${NAMES[name] ?? name}}` : encodeURIComponent(value);
  });
}

const NAMES: Readonly<Record<string, string>> = { accountId: 'account-id' };
