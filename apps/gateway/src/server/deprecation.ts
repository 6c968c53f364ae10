import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway.config';

export const V0 = '/api/v0/';

/** v0 answers, errors too, say that v0 is going away and what takes its place. */
export function announceDeprecation(request: FastifyRequest, reply: FastifyReply, settings: GatewaySettings): void {
  reply.header('deprecation', settings.v0Deprecation);
  reply.header('sunset', settings.v0Sunset);
  const successor = `<${successorOf(request)}>; rel="successor-version"`;
  const link = reply.getHeader('link');
  reply.header('link', link === undefined ? successor : `${String(link)}, ${successor}`);
}

/**
 * The v1 path of the same operation. Until the caller's account is known (a 401), the part of that path in front of it:
 * a link is a URL, and no client could follow a placeholder.
 */
function successorOf({ call, params, routeOptions }: FastifyRequest): string {
  const template = routeOptions.config.policy?.successor;
  if (!template) return '/api/v1';
  const values: Record<string, string> = {
    ...(params as Record<string, string>),
    ...(call.accountId ? { accountId: call.accountId } : {}),
  };
  const known: string[] = [];
  for (const part of template.split('/')) {
    const value = part.startsWith(':') ? values[part.slice(1)] : part;
    if (value === undefined) break;
    known.push(part.startsWith(':') ? encodeURIComponent(value) : part);
  }
  return known.join('/');
}
