/** The rules of `deploy/ci/tidy.mjs` on links and file names in documents. */
const path = require('node:path');

const markdown = (file) => file.endsWith('.md');

/**
 * @returns {{ line: number, text: string }[]} the lines outside fenced code blocks; every line of a file that is not
 *   Markdown
 */
function proseOf(file, lines) {
  let fenced = false;
  return lines.flatMap((text, index) => {
    if (markdown(file) && text.startsWith('```')) {
      fenced = !fenced;
      return [];
    }
    return fenced ? [] : [{ line: index + 1, text }];
  });
}

/**
 * @returns {{ line: number, target: string, to: string, anchor: string }[]} the links of a document to files of the
 *   repository and to its own headings: as written, the path from the root, and the part after `#` (empty: none)
 */
const linksOf = (file, lines) =>
  proseOf(file, lines).flatMap(({ line, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target)
      .filter((target) => !/^[a-z]+:|^\//.test(target))
      .map((target) => {
        const [to, anchor = ''] = target.split('#');
        return { line, target, to: to === '' ? file : path.join(path.dirname(file), decodeURI(to)), anchor };
      }),
  );

const deadLinks = (file, lines, { exists }) =>
  markdown(file)
    ? linksOf(file, lines)
        .filter(({ to }) => to !== file && !exists(to))
        .map(({ line, target }) => ({ line, message: `the link leads nowhere: ${target.split('#')[0]}` }))
    : [];

/** The anchor that GitHub and VitePress give a heading: lower case, dashes for spaces, other characters left out. */
const anchorOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** @returns {Set<string>} the anchors of a document's headings; the second of equal headings ends with `-1` */
function anchorsOf(file, lines) {
  const seen = new Map();
  return new Set(
    proseOf(file, lines)
      .filter(({ text }) => /^#{1,6} /.test(text))
      .map(({ text }) => {
        const anchor = anchorOf(text.replace(/^#+ /, ''));
        const before = seen.get(anchor) ?? 0;
        seen.set(anchor, before + 1);
        return before === 0 ? anchor : `${anchor}-${before}`;
      }),
  );
}

const deadAnchors = (file, lines, { linesOf }) =>
  markdown(file)
    ? linksOf(file, lines)
        .filter(({ to, anchor }) => anchor !== '' && markdown(to))
        .map((link) => ({ ...link, read: link.to === file ? lines : linesOf(link.to) }))
        .filter(({ read, to, anchor }) => read !== undefined && !anchorsOf(to, read).has(decodeURI(anchor)))
        .map(({ line, target }) => ({ line, message: `no heading has the anchor of this link: ${target}` }))
    : [];

/** Documents that may name missing files: recipes, whose steps create them, measurements of earlier code, and guides. */
const NAMES_OTHER_FILES = /^docs\/(recipes|performance\/log|site)\//;

const deadFiles = (file, lines, { hasFile }) =>
  markdown(file) && !NAMES_OTHER_FILES.test(file)
    ? proseOf(file, lines).flatMap(({ line, text }) =>
        [...text.matchAll(/`([\w./-]+\.(?:ts|cjs|mjs))`/g)]
          .filter(([, name]) => !hasFile(name))
          .map(([, name]) => ({ line, message: `no file has this name: ${name}` })),
      )
    : [];

module.exports = { deadAnchors, deadFiles, deadLinks, proseOf };
