import type { RouteOptions } from 'fastify';
import { ApiError } from '../errors/api-error';

/** Which methods each path takes, so that a known path with another method is a 405 and not a 404. */
export class RouteTable {
  private readonly methods = new Map<string, { readonly form: RegExp; readonly methods: Set<string> }>();

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    const form = new RegExp(`^${url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part))).join('/')}$`);
    const entry = this.methods.get(url) ?? { form, methods: new Set<string>() };
    this.methods.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  }

  /** 405 with `Allow` when the path is known with another method, else 404. */
  missing(url: string): ApiError {
    const path = url.split(/[?#]/)[0] ?? '';
    const allowed = [...this.methods.values()].filter(({ form }) => form.test(path)).flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0) return new ApiError('route-not-found');
    return new ApiError('method-not-allowed', { headers: { allow: [...new Set(allowed)].sort().join(', ') } });
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
