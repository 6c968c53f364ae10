/**
 * The URL with each part of its path that cannot be decoded (`%zz`, half a character) written so that it decodes to
 * itself. No id and no name of ours has a percent sign, so that such a part names nothing and means nothing else
 * either. The query is read leniently anyway.
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
