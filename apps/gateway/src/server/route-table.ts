import type { RouteOptions } from 'fastify';
import { isAssetId } from '@ponte/kernel';
import { unknownAsset } from '../api/assets';
import { ApiError } from '../errors/api-error';

/** Two parts of a path where there is one short name of an asset, which may be an asset as named in quotes. */
const FULL_ASSET = /\/assets\/([^/]+\/[^/]+)/;

interface Path {
  readonly url: string;
  readonly form: RegExp;
  readonly methods: Set<string>;
}

/** A path and the methods that it does not accept. */
interface UnacceptedMethods {
  readonly url: string;
  readonly methods: readonly string[];
}

/** The methods that each path accepts, so that a known path with another method is a 405 and not a 404. */
export class RouteTable {
  private readonly paths = new Map<string, Path>();

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    const form = new RegExp(
      `^${url
        .split('/')
        .map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
        .join('/')}$`,
    );
    const entry = this.paths.get(url) ?? { url, form, methods: new Set<string>() };
    this.paths.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  }

  /** A 405 with `Allow` if the path exists with another method, otherwise a 404. */
  missing(url: string): ApiError {
    const path = url.split(/[?#]/)[0] ?? '';
    const known = [...this.paths.values()].filter(({ form }) => form.test(path));
    // A fixed path such as `accounts/files` takes precedence over a pattern that also matches it.
    const nearest = known.filter((one) => !known.some((other) => covers(one, other)));
    const allowed = nearest.flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0)
      return isAssetId(FULL_ASSET.exec(path)?.[1]) ? unknownAsset() : new ApiError('route-not-found');
    return new ApiError('method-not-allowed', { headers: { allow: [...new Set(allowed)].sort().join(', ') } });
  }

  /** Methods that the router would pass to a wider path: `GET accounts/files` is not an account called `files`. */
  untaken(): UnacceptedMethods[] {
    const paths = [...this.paths.values()];
    return paths
      .map((path) => ({
        url: path.url,
        methods: [
          ...new Set(paths.filter((wider) => covers(wider, path)).flatMap(({ methods }) => [...methods])),
        ].filter((method) => !path.methods.has(method)),
      }))
      .filter(({ methods }) => methods.length > 0);
  }
}

/** Whether the wider path matches every request of the path, too. */
const covers = (wider: Path, path: Path): boolean => wider !== path && wider.form.test(path.url);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
