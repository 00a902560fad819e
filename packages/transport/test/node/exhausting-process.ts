/** Opens more connections than it may have sockets, and reports how many could be described. */
import * as native from "node-datachannel"
import { nodeWebRtc } from "../../src/node/index.ts"

const { RTCPeerConnection } = nodeWebRtc(native)
const counts = { described: 0, refused: 0 }
const connections = Array.from({ length: 100 }, () => new RTCPeerConnection())
for (const connection of connections) {
  connection.createDataChannel("reliable", { negotiated: true, id: 101 })
  await connection.createOffer().then(
    () => (counts.described += 1),
    () => (counts.refused += 1),
  )
}
for (const connection of connections) connection.close()
console.log(JSON.stringify(counts))
