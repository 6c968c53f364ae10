/**
 * The URL with each path segment that cannot be decoded (`%zz`, an incomplete character) rewritten so that it decodes
 * to its own text. Our ids and names contain no percent sign, so such a segment matches nothing. The query is left
 * unchanged, because it is parsed leniently.
 */
export function decodable(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return (
    path
      .split('/')
      .map((part) => (isDecodable(part) ? part : part.replaceAll('%', '%25')))
      .join('/') + url.slice(path.length)
  );
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
