import { parse, type RelayAnswer, relayAnswer } from "@keymoot/transport/signaling-protocol"

/** `BROADCAST_ACK` of Socket.IO's adapters: a client's acknowledgement on its way to the process that asked for it. */
const BROADCAST_ACK = 12

interface Response {
  readonly type: number
  readonly data: { packet?: unknown }
}

/** The part of Socket.IO's adapter for several processes that its types hide. */
interface Hidden {
  publishResponse(process: string, response: Response): void
}

/**
 * Passes answers to relayed frames on to the other processes as what they mean, and so in a few bytes. Unmodified, the
 * adapter encodes whatever a client has acknowledged. A value that is nested too deeply throws there, which would end
 * the process.
 */
export function boundAnswers<A extends object>(adapter: A): A {
  const hidden = adapter as A & Hidden
  const publishResponse = hidden.publishResponse.bind(hidden)
  hidden.publishResponse = (process, response) => {
    // Relayed frames are the only packets to other processes with an acknowledgement.
    if (response.type === BROADCAST_ACK) response.data.packet = answerIn(response.data.packet)
    publishResponse(process, response)
  }
  return adapter
}

function answerIn(acknowledged: unknown): RelayAnswer {
  const parsed = parse(relayAnswer, acknowledged)
  return parsed.ok ? parsed.value : { taken: false }
}
