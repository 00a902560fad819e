import { utf8ToBytes } from "@noble/hashes/utils.js"

const DOMAIN = "keymoot v1 room:enter"

/**
 * The bytes that a room proof signs, with the private key to the conference's verifier. The connection id binds the
 * proof to one connection, since the server draws a fresh id for each. Room and address bind it to one entry.
 * @param room and `address`: 32 hex digits, as in `room:enter`
 * @param connection Socket.IO's id of the connection, from the server's answer to its connect packet
 */
export function roomProofBytes(room: string, address: string, connection: string): Uint8Array {
  // All parts but the last have a fixed length. The leading length prevents one domain from being a prefix of another.
  return utf8ToBytes(`${String.fromCharCode(DOMAIN.length)}${DOMAIN}${room}${address}${connection}`)
}
