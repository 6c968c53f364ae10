import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The two files of Swagger UI that a reference page loads. */
interface Viewer {
  readonly script: Buffer;
  readonly style: Buffer;
}

/** Corrects Swagger UI: its colours are too pale for small text, and its tables too wide for a small window. */
const STYLE = `
body { margin: 0; }
.note { font-family: sans-serif; margin: 1rem; }
.swagger-ui .opblock-body { overflow-x: auto; }
.swagger-ui .opblock.opblock-deprecated { opacity: 1; }
html.dark-mode .note { color: #e4e6e6; }
html.dark-mode .swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #a4a4a4; }
html:not(.dark-mode) .swagger-ui {
  .info .title small { background: #5f6672; }
  .info .title small.version-stamp { background: #3f6600; }
  .info .url, .info a, a.link { color: #1a5fb4; }
  .btn.authorize, .btn.authorize span { color: #0b6b42; }
  .btn.cancel { color: #b00020; }
  .btn.execute, .opblock.opblock-get .opblock-summary-method { background: #1a5fb4; }
  .opblock.opblock-post .opblock-summary-method { background: #0b6b42; }
  .opblock.opblock-put .opblock-summary-method { background: #8a5300; }
  .opblock.opblock-patch .opblock-summary-method { background: #0a6b5c; }
  .opblock.opblock-delete .opblock-summary-method { background: #b81414; }
  .opblock.opblock-deprecated .opblock-summary-method { background: #5c5c5c; }
  .parameter__in { color: #5f5f5f; }
}
`;

let viewer: Viewer | undefined;

/**
 * The files of Swagger UI, read for the first page that needs them. `SwaggerModule.setup` would serve the same files,
 * but only on the public port; the reference of the staff API is on the management port.
 */
export function readViewer(): Viewer {
  if (viewer) return viewer;
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  viewer = {
    script: read('swagger-ui-bundle.js'),
    style: Buffer.concat([read('swagger-ui.css'), Buffer.from(STYLE)]),
  };
  return viewer;
}
