import { Decoder, Encoder, PacketType } from "socket.io-parser"

/** Binary fields in one request: certificate, issuer and signature. */
export const ATTACHMENTS_MAX = 3

/**
 * Text of a packet. The longest is `conference:create` with a full roster, at 18 KiB: bytes are attachments. Socket.IO
 * passes each argument of a packet on the stack, several times over. A frame full of arguments would exceed the stack
 * outside of any try, and so end the process.
 */
const TEXT_CHARS_MAX = 20 * 1024
/** The same of CONNECT. A returning client names its session and the last packet that it has, in about 80 characters. */
const CONNECT_CHARS_MAX = 256

/**
 * Socket.IO's parser with smaller bounds. There is one decoder for each connection of Engine.IO.
 *
 * The decoder buffers a packet until its last attachment arrives, and a client may never send it. So bounds on its text
 * and its attachments limit the memory of a silent connection. Parsed JSON can be twenty times larger than its text.
 *
 * A connection may send CONNECT once, and its payload stays in memory. Each CONNECT has a Socket.IO socket of its own
 * with rates of its own, and may read a session from Redis.
 */
class FewAttachmentsDecoder extends Decoder {
  #connected = false

  constructor() {
    super({ maxAttachments: ATTACHMENTS_MAX })
  }

  /** @throws Error when the client violates the protocol; Socket.IO then closes the connection */
  override add(frame: unknown): void {
    if (typeof frame === "string") {
      // Socket.IO reads the type as a number, and so takes white space and an empty frame for CONNECT, too.
      const type = Number(frame.charAt(0))
      if (frame.length > (type === PacketType.CONNECT ? CONNECT_CHARS_MAX : TEXT_CHARS_MAX)) throw new Error("too long")
      if (type === PacketType.CONNECT && this.#connected) throw new Error("a second CONNECT")
      this.#connected ||= type === PacketType.CONNECT
    }
    super.add(frame)
  }
}

export const FewAttachments = { Encoder, Decoder: FewAttachmentsDecoder }
