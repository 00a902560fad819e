import type { Page } from "@playwright/test"

declare global {
  interface Window {
    peerConnections: RTCPeerConnection[]
    candidates: string[]
    allowAllConnections?: boolean
  }
}

/** Notes the page's peer connections for `waysOf` and `candidatesOf`. Call it before the page is opened. */
export async function notePeerConnections(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = RTCPeerConnection
    window.peerConnections = []
    window.candidates = []
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        window.peerConnections.push(this)
        this.addEventListener(
          "icecandidate",
          ({ candidate }) => candidate && window.candidates.push(candidate.candidate),
        )
      }
    }
  })
}

/** The candidates that peer connections of this page have gathered for the other end so far. */
export function candidatesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => window.candidates)
}

/**
 * Restricts the page's peer connections to TURN, as a restrictive network does. Call it before the page is opened. The
 * product cannot be configured so from outside; only the owner of a browser can do this.
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

/**
 * Lets the page's peer connections connect one at a time, until all are allowed: the others wait for a TURN server that
 * does not exist. Call it before the page is opened.
 */
export async function allowOneConnection(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = RTCPeerConnection
    window.peerConnections = []
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        const isOver = ({ connectionState }: RTCPeerConnection) =>
          connectionState === "closed" || connectionState === "failed"
        const direct = window.allowAllConnections === true || window.peerConnections.every(isOver)
        super(direct ? configuration : { ...configuration, iceTransportPolicy: "relay" })
        window.peerConnections.push(this)
      }
    }
  })
}

export function allowAllConnections(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.allowAllConnections = true
  })
}

export function connectedCount(page: Page): Promise<number> {
  return page.evaluate(
    () => window.peerConnections.filter(({ connectionState }) => connectionState === "connected").length,
  )
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
