import { Decoder, Encoder, PacketType } from "socket.io-parser"

/** Binary fields in one request: certificate, issuer and signature. */
export const ATTACHMENTS_MAX = 3

/** CONNECT of a returning client names its session and the last packet that it has, in about 80 characters. */
const CONNECT_CHARS_MAX = 256

/**
 * Socket.IO's parser with smaller bounds. There is one decoder for each connection of Engine.IO.
 *
 * The decoder buffers attachments until the last one arrives, and a client may never send it. So a bound on attachments
 * limits the memory of a silent connection.
 *
 * A connection may send CONNECT once. Its payload stays in memory, and a parsed one is twenty times larger. Each CONNECT
 * has a Socket.IO socket of its own with rates of its own, and may read a session from Redis.
 */
class FewAttachmentsDecoder extends Decoder {
  #connected = false

  constructor() {
    super({ maxAttachments: ATTACHMENTS_MAX })
  }

  /** @throws Error when the client violates the protocol; Socket.IO then closes the connection */
  override add(frame: unknown): void {
    // Socket.IO reads the type as a number, and so takes white space and an empty frame for CONNECT, too.
    if (typeof frame === "string" && Number(frame.charAt(0)) === PacketType.CONNECT) {
      if (this.#connected || frame.length > CONNECT_CHARS_MAX) throw new Error("more CONNECT than a client needs")
      this.#connected = true
    }
    super.add(frame)
  }
}

export const FewAttachments = { Encoder, Decoder: FewAttachmentsDecoder }
