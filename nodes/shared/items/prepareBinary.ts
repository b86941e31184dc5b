import type { BinaryHelperFunctions } from 'n8n-workflow';
import type { PrepareBinary } from './images';

/** n8n's store for binary data, bound to the node that runs. */
export const prepareBinaryOf =
  (context: { helpers: Pick<BinaryHelperFunctions, 'prepareBinaryData'> }): PrepareBinary =>
  async (data, fileName, mimeType) =>
    await context.helpers.prepareBinaryData(data, fileName, mimeType);
