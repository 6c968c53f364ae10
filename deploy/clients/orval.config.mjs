/** `PONTE_DOCUMENT` is the file of the OpenAPI document, `PONTE_BASE_URL` is written into the client. */
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
