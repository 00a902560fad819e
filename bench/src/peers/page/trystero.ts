/** Trystero's own core with a relay of one's own under it, as its documentation has it: its public networks are out of reach here. */
import { createTopicStrategy } from "@trystero-p2p/core"
import type { Connect } from "./contestant.ts"
import { openRelay } from "./relay.ts"

const joinRoom = createTopicStrategy({
  init: (config) => openRelay(config.relayConfig!.urls![0]!),
  subscribeTopic: (relay, topic, onMessage) =>
    relay.subscribe(topic, (message) => void onMessage(topic, (message as { text: string }).text)),
  publishTopic: (relay, topic, message) =>
    relay.publish(topic, { text: typeof message === "string" ? message : JSON.stringify(message) }),
})

export const trystero: Connect = async ({ relay }) => {
  const config = { appId: "bench", relayConfig: { urls: [relay] }, rtcConfig: { iceServers: [] } }
  const room = joinRoom(config, "pair")
  const action = room.makeAction<Uint8Array>("message")
  await new Promise<void>((joined) => (room.onPeerJoin = () => joined()))
  return {
    send: (bytes) => void action.send(bytes),
    listen: (onMessage) => (action.onMessage = onMessage),
  }
}
