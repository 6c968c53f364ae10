/**
 * Allows scripts from our own origin, and inline scripts by their hash. Inline styles are allowed because Swagger UI
 * and VitePress write them.
 */
export const referencePolicy = (scripts = ''): string =>
  [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const HTML = 'text/html; charset=utf-8';
export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const CSS = 'text/css; charset=utf-8';

/**
 * Settings of both references. Nothing is loaded from or sent to another origin. Deep links are off, because they put a
 * link inside each button.
 */
const SETTINGS = {
  dom_id: '#docs',
  validatorUrl: null,
  docExpansion: 'list',
  filter: true,
  defaultModelsExpandDepth: 0,
};

/** Swagger UI is dark when its root element has this class. */
const FOLLOW_COLOUR_SCHEME = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** The page of a reference. It loads `viewer.css`, `viewer.js` and `start.js` below its own path. */
export const referencePage = (path: string, title: string, note = ''): string => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${path}/viewer.css"></head>
<body>${note}<main id="docs"></main>
<script src="${path}/viewer.js"></script><script src="${path}/start.js"></script></body>
</html>
`;

/** A Swagger UI plug-in that hides these components. */
export const hide = (...components: readonly string[]): string =>
  `() => ({ wrapComponents: { ${components.map((name) => `${name}: () => () => null`).join(', ')} } })`;

/**
 * The script that shows the document at `url`. `settings` is source text of further Swagger UI settings, and may use
 * names that the script declares before.
 */
export const showReference = (url: string, settings: string): string =>
  `${FOLLOW_COLOUR_SCHEME}const ui = SwaggerUIBundle({ ...${JSON.stringify({ ...SETTINGS, url })}, ${settings} });\n`;
