import { defineConfig } from 'vitepress';

const page = (text: string, link: string) => ({ text, link });

/** The guides under `/docs` of a sandbox. The site loads no external fonts, scripts or search. */
export default defineConfig({
  title: 'Ponte',
  description: 'Stablecoin, FX and account onboarding for partner backends',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  srcExclude: ['README.md', 'generated/**'],
  ignoreDeadLinks: [/^\/reference$/],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index]!;
        if (info.trim() === 'mermaid') return `<Mermaid code="${encodeURIComponent(content)}" />\n`;
        return fence!(tokens, index, ...rest);
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [page('Quickstart', '/quickstart'), page('Errors', '/errors'), page('Sandbox', '/sandbox')],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('What Ponte is', '/what-ponte-is'),
          page('Quickstart', '/quickstart'),
          page('Authentication', '/authentication'),
        ],
      },
      {
        text: 'Guides',
        items: [
          page('Accounts and onboarding', '/onboarding'),
          page('Quotes and orders', '/quotes-and-orders'),
          page('Pix codes', '/pix-codes'),
          page('Transfers', '/transfers'),
          page('Reward certificates', '/certificates'),
          page('Withdrawals', '/withdrawals'),
          page('Deposits and balances', '/deposits'),
          page('Webhooks', '/webhooks'),
          page('Event log', '/events'),
        ],
      },
      {
        text: 'Rules of the API',
        items: [
          page('Idempotency', '/idempotency'),
          page('Errors', '/errors'),
          page('Pagination and limits', '/pagination-and-limits'),
          page('States', '/states'),
          page('Versions', '/versions'),
          page('Changelog', '/changelog'),
        ],
      },
      { text: 'Tools', items: [page('Sandbox', '/sandbox'), page('SDK', '/sdk'), page('Command line', '/cli')] },
    ],
  },
});
