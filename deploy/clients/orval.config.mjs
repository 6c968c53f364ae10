/** The base URL is written into the client; PONTE_DOCUMENT is a file. */
export default {
  ponte: {
    input: process.env.PONTE_DOCUMENT,
    output: {
      target: './client/ponte.ts',
      client: 'fetch',
      mode: 'single',
      urlEncodeParameters: true,
      baseUrl: process.env.PONTE_BASE_URL,
      override: { splitByContentType: true },
    },
  },
};
