import type { Page } from "@playwright/test"

declare global {
  interface Window {
    peerConnections: RTCPeerConnection[]
  }
}

/**
 * Lets the page's peer connections go through TURN only, as a network would that lets nothing else through. Call it before
 * the page is opened. The product has no way to be told so from outside: whoever owns the browser does this.
 */
export async function allowRelayedOnly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = RTCPeerConnection
    window.peerConnections = []
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy: "relay" })
        window.peerConnections.push(this)
      }
    }
  })
}

/** The kinds of candidates, own and the other's, that connections in use of this page go by. */
export function waysOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const ways: string[] = []
    for (const connection of window.peerConnections) {
      if (connection.connectionState !== "connected") continue
      const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[]
      const kindOf = (id: unknown) => stats.find((entry) => entry["id"] === id)?.["candidateType"]
      for (const { type, state, nominated, localCandidateId, remoteCandidateId } of stats) {
        if (type !== "candidate-pair" || state !== "succeeded" || nominated !== true) continue
        ways.push(`${String(kindOf(localCandidateId))} to ${String(kindOf(remoteCandidateId))}`)
      }
    }
    return ways
  })
}
