import { fastify } from 'fastify';

const PREFIX = '/viewer';

/**
 * The browser bundle of Scalar. Its Fastify plug-in is the only small package that has it, so an application of its
 * own, which listens nowhere, is asked for the file once. Its page is not used: that one would need inline scripts.
 */
export async function readViewer(): Promise<Buffer> {
  // An ES module alone; the name is no literal of an import, so that bundles and jest leave it to Node.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const host = fastify();
  try {
    await host.register(
      scalar as never,
      {
        routePrefix: PREFIX,
        configuration: { content: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
      } as never,
    );
    const { statusCode, rawPayload } = await host.inject({ url: `${PREFIX}/js/scalar.js` });
    if (statusCode !== 200) throw new Error(`the viewer's script was not found: ${statusCode}`);
    return rawPayload;
  } finally {
    await host.close();
  }
}
