// An esbuild plugin that makes every function of ours report its calls, by a number, to `globalThis.ran`.
const { readFileSync } = require('node:fs');
const { relative, resolve } = require('node:path');
const { transformSync } = require('@swc/core');
const ts = require('typescript');
const swcOptions = require('../../../../deploy/build/swc-options.cjs');

const ROOT = resolve(__dirname, '../../../..');
const OURS = /\/(apps|libs)\/[^/]+\/src\/.+\.ts$/;
/** Functions that swc adds for decorators. */
const HELPER = /^_ts_/;

/** Returns the plugin and `files`, which holds the file of each numbered function once the bundle is written. */
function probes() {
  const files = [];
  const plugin = {
    name: 'probes',
    setup(build) {
      build.onLoad({ filter: OURS }, ({ path }) => {
        const { code } = transformSync(readFileSync(path, 'utf8'), { ...swcOptions, filename: path });
        return { contents: probed(code, () => files.push(relative(ROOT, path)) - 1), loader: 'js' };
      });
    },
  };
  return { plugin, files };
}

/** The code with a report at the start of every function. */
function probed(code, next) {
  const inserts = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && !HELPER.test(node.name?.getText() ?? '')) {
      const report = `globalThis.ran?.(${next()})`;
      if (ts.isBlock(node.body)) inserts.push([node.body.getStart() + 1, `${report};`]);
      else inserts.push([node.body.getStart(), `(${report},`], [node.body.end, ')']);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('code.js', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS));
  let at = 0;
  let text = '';
  for (const [offset, insert] of inserts.sort(([a], [b]) => a - b)) {
    text += code.slice(at, offset) + insert;
    at = offset;
  }
  return text + code.slice(at);
}

module.exports = { probes };
