/**
 * Scripts of our own origin, inline ones by their hash. Scalar and VitePress write styles inline, so these are
 * allowed.
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

/** The viewer's own grey, green, orange and red are too pale for small text. */
const CONTRAST =
  '.light-mode { --scalar-color-3: #5f5f5f; --scalar-color-green: #00683f; --scalar-color-orange: #9a4b00;' +
  ' --scalar-color-red: #a8071a; } .dark-mode { --scalar-color-3: #a4a4a4; --scalar-color-red: #ff8585; }';

/** What both references have in common: nothing is loaded from elsewhere, and nothing is sent elsewhere. */
const SETTINGS = {
  customCss: CONTRAST,
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
};

/** The page of a reference, whose scripts `viewer.js` and `start.js` are below its own path. */
export const referencePage = (path: string, title: string, note = ''): string => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title></head>
<body>${note}<div id="docs"></div>
<script src="${path}/viewer.js"></script><script src="${path}/start.js"></script></body>
</html>
`;

/** Shows the document of this address. `more` is the text of further settings, which may name what its script has. */
export const showReference = (url: string, more: string): string =>
  `Scalar.createApiReference('#docs', { ...${JSON.stringify({ ...SETTINGS, url })}, ${more} });\n`;
