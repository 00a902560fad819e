/** The invitation of every conference of these tests. */
import { generateKeyPairSync, sign } from "node:crypto"
import { roomProofBytes } from "@keymoot/transport/signaling-protocol"
import type { Socket } from "socket.io-client"

const { publicKey, privateKey } = generateKeyPairSync("ed25519")

/** The creator stores this at the server. */
export const verifier = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url"))

/** A holder of the link sends this to enter under this address over this connection. */
export function proofOf(socket: Pick<Socket, "id">, room: string, address: string): Uint8Array {
  return new Uint8Array(sign(null, roomProofBytes(room, address, socket.id!), privateKey))
}
