import { Decoder, Encoder } from "socket.io-parser"

/** Binary fields in one request: certificate, issuer and signature. */
export const ATTACHMENTS_MAX = 3

/**
 * Socket.IO's parser with a smaller bound on attachments. The decoder buffers attachments until the last one arrives,
 * and a client may never send it. So this bound limits the memory of a silent connection.
 */
class FewAttachmentsDecoder extends Decoder {
  constructor() {
    super({ maxAttachments: ATTACHMENTS_MAX })
  }
}

export const FewAttachments = { Encoder, Decoder: FewAttachmentsDecoder }
